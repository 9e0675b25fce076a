import { Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { Form, useFetcher, useLocation } from "react-router";
import { IconButton } from "#app/ui/button.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { useRoot } from "./root-data.ts";
import { applyTheme, nextTheme, type ThemeChoice } from "./theme.ts";

const choices = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "System", icon: Monitor },
] as const;

function useTheme() {
  const fetcher = useFetcher({ key: "theme" });
  const pending = fetcher.formData?.get("theme") as ThemeChoice | undefined;
  const theme = useRoot().theme;
  const choose = (choice: ThemeChoice) => {
    applyTheme(choice);
    void fetcher.submit({ theme: choice }, { method: "post", action: "/theme" });
  };
  return { theme: pending ?? theme, choose };
}

/** The header's one button: a menu of the three choices or, without JavaScript, a step to the next of them. */
export function ThemeMenu() {
  const { theme, choose } = useTheme();
  const hydrated = useHydrated();
  const current = choices.find(({ value }) => value === theme) ?? choices[2];
  const button = (
    <IconButton
      label={`Theme: ${current.label}`}
      icon={current.icon}
      type={hydrated ? "button" : "submit"}
      name="theme"
      value={nextTheme[theme]}
    />
  );
  return (
    <ThemeForm>
      <Menu trigger={button}>
        {choices.map(({ value, label, icon }) => (
          <MenuItem key={value} icon={icon} checked={value === theme} onSelect={() => choose(value)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </ThemeForm>
  );
}

/** All three side by side, for the menu sheet. */
export function ThemeChoices() {
  const { theme, choose } = useTheme();
  return (
    <ThemeForm onChoose={choose}>
      <Segmented label="Theme" name="theme" value={theme} segments={choices} />
    </ThemeForm>
  );
}

function ThemeForm({ onChoose, children }: { onChoose?: (choice: ThemeChoice) => void; children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Form
      method="post"
      action="/theme"
      className="contents"
      onSubmit={(event) => {
        const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
        if (!onChoose || !pressed) return;
        event.preventDefault();
        onChoose(pressed.value as ThemeChoice);
      }}
    >
      <input type="hidden" name="back" value={pathname + search} />
      {children}
    </Form>
  );
}

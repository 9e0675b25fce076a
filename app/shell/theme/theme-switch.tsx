import { type ReactNode, type SVGProps, useEffect, useState } from "react";
import { useLocation, useSubmit } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { classNames } from "#app/ui/class-names.ts";
import { Dropdown } from "#app/ui/dropdown.tsx";
import { Check, Monitor, Moon, Sun } from "#app/ui/icons.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { applyTheme, type ThemeChoice } from "./theme.ts";

const choices = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "System", icon: Monitor },
] as const;

/** The viewer's theme, changed at once while the server saves it, and changed back if it doesn't. */
function useTheme() {
  const { theme } = useRoot();
  const submit = useSubmit();
  const [pending, setPending] = useState<ThemeChoice>();
  const choose = async (choice: ThemeChoice) => {
    setPending(choice);
    await submit({ theme: choice }, { method: "post", action: "/theme", navigate: false, fetcherKey: "theme" });
    setPending(undefined);
  };
  const shown = pending ?? theme;
  useEffect(() => applyTheme(shown), [shown]);
  return { theme: shown, choose };
}

export function ThemeMenu() {
  const { theme, choose } = useTheme();
  return (
    <Dropdown label="Theme" icon={ThemeIcon}>
      <ThemeForm choose={choose}>
        {choices.map(({ value, label, icon: IconComponent }) => (
          <button key={value} type="submit" name="theme" value={value} aria-pressed={value === theme}>
            <IconComponent aria-hidden />
            <span>{label}</span>
            {value === theme && <Check aria-hidden />}
          </button>
        ))}
      </ThemeForm>
    </Dropdown>
  );
}

function ThemeIcon({ className }: SVGProps<SVGSVGElement>) {
  return (
    <>
      <Moon aria-hidden className={classNames(className, "dark:hidden")} />
      <Sun aria-hidden className={classNames(className, "hidden dark:block")} />
    </>
  );
}

export function ThemeChoices() {
  const { theme, choose } = useTheme();
  return (
    <ThemeForm choose={choose}>
      <Segmented label="Theme" name="theme" value={theme} segments={choices} />
    </ThemeForm>
  );
}

/** Its submit buttons are named `theme`; without JavaScript the answer redirects back to this page. */
function ThemeForm({ choose, children }: { choose: (choice: ThemeChoice) => Promise<void>; children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <form
      method="post"
      action="/theme"
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement;
        void choose(pressed.value as ThemeChoice);
      }}
    >
      <input type="hidden" name="back" value={pathname + search} />
      {children}
    </form>
  );
}

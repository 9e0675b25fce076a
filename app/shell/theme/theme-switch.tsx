import type { ReactNode, SVGProps } from "react";
import { useFetcher, useLocation } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { classNames } from "#app/ui/class-names.ts";
import { Check, Monitor, Moon, Sun } from "#app/ui/icons.tsx";
import { Popdown } from "#app/ui/popdown.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { applyTheme, type ThemeChoice } from "./theme.ts";

const choices = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "System", icon: Monitor },
] as const;

function useTheme(): ThemeChoice {
  const pending = useFetcher({ key: "theme" }).formData?.get("theme") as ThemeChoice | undefined;
  const { theme } = useRoot();
  return pending ?? theme;
}

export function ThemeMenu() {
  const theme = useTheme();
  return (
    <Popdown label="Theme" icon={ThemeIcon}>
      <ThemeForm>
        {choices.map(({ value, label, icon: Drawing }) => (
          <button key={value} type="submit" name="theme" value={value} aria-pressed={value === theme}>
            <Drawing aria-hidden />
            <span>{label}</span>
            {value === theme && <Check aria-hidden />}
          </button>
        ))}
      </ThemeForm>
    </Popdown>
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
  return (
    <ThemeForm>
      <Segmented label="Theme" name="theme" value={useTheme()} segments={choices} />
    </ThemeForm>
  );
}

/** Any of its submit buttons named `theme` chooses; without JavaScript the answer leads back to this page. */
function ThemeForm({ children }: { children: ReactNode }) {
  const fetcher = useFetcher({ key: "theme" });
  const { pathname, search } = useLocation();
  const choose = (choice: ThemeChoice) => {
    applyTheme(choice);
    void fetcher.submit({ theme: choice }, { method: "post", action: "/theme" });
  };
  return (
    <form
      method="post"
      action="/theme"
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement;
        choose(pressed.value as ThemeChoice);
      }}
    >
      <input type="hidden" name="back" value={pathname + search} />
      {children}
    </form>
  );
}

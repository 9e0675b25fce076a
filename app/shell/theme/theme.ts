import { days, seconds } from "#platform/time.ts";

/** `system` follows the device. Stored in a cookie, so that the server can render it. */
export type ThemeChoice = "light" | "dark" | "system";

export const themeCookieName = "inkstead_theme";
const themePattern = new RegExp(`(?:^|;\\s*)${themeCookieName}=(light|dark)(?:;|$)`);
const maxAgeSeconds = days(365) / seconds(1);

export function themeCookie(choice: ThemeChoice): string {
  return `${themeCookieName}=${choice}; Max-Age=${choice === "system" ? 0 : maxAgeSeconds}; Path=/; SameSite=Lax`;
}

export function readTheme(request: Request): ThemeChoice {
  return themeOf(request.headers.get("cookie") ?? "");
}

export function themeOf(cookie: string): ThemeChoice {
  const value = themePattern.exec(cookie)?.[1];
  return isThemeChoice(value) ? value : "system";
}

export function isThemeChoice(value: unknown): value is ThemeChoice {
  return value === "light" || value === "dark" || value === "system";
}

/** `--paper` of app/theme/colors.css, for the browser's bars. */
export const paperColors = { light: "#faf7f0", dark: "#161310" };

const darkDevice = "(prefers-color-scheme: dark)";

/** Runs before the first paint, as the server doesn't know the device's theme. */
export const themeScript = `(()=>{const r=document.documentElement,q=matchMedia("${darkDevice}"),f=()=>{if(r.dataset.themeChoice==="system")r.dataset.theme=q.matches?"dark":"light"};f();q.addEventListener("change",f)})()`;

export function applyTheme(choice: ThemeChoice): void {
  const { dataset } = document.documentElement;
  dataset.themeChoice = choice;
  dataset.theme = choice === "system" ? (matchMedia(darkDevice).matches ? "dark" : "light") : choice;
}

import { paperColors, type ThemeChoice } from "./theme.ts";

/** The color of the browser's bars. */
export function ThemeColor({ theme }: { theme: ThemeChoice }) {
  if (theme !== "system") return <meta name="theme-color" content={paperColors[theme]} />;
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={paperColors.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={paperColors.dark} />
    </>
  );
}

import { paperColours, type ThemeChoice } from "./theme.ts";

/** The color of the browser's bars. */
export function ThemeColour({ theme }: { theme: ThemeChoice }) {
  if (theme !== "system") return <meta name="theme-color" content={paperColours[theme]} />;
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={paperColours.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={paperColours.dark} />
    </>
  );
}

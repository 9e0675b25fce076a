import { expect, test } from "vitest";
import { readTheme, themeCookie } from "./theme.ts";

const choiceIn = (cookie: string) => readTheme(new Request("http://inkstead.test/", { headers: { cookie } }));

test.each([
  ["inkstead_theme=dark", "dark"],
  ["a=b; inkstead_theme=light; c=d", "light"],
  ["inkstead_theme=purple", "system"],
  ["not_inkstead_theme=dark", "system"],
  ["", "system"],
])("the cookie %j chooses %s", (cookie, choice) => {
  expect(choiceIn(cookie)).toBe(choice);
});

test("reads the cookie that it writes", () => {
  for (const choice of ["light", "dark"] as const) expect(choiceIn(themeCookie(choice))).toBe(choice);
});

test("the system theme removes the cookie", () => {
  expect(themeCookie("system")).toContain("Max-Age=0");
});

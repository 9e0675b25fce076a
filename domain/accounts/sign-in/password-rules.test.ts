import { describe, expect, test } from "vitest";
import { accountTexts } from "#domain/accounts/account.ts";
import { requireGoodPassword } from "./password-rules.server.ts";

const site = { url: "https://stories.example.org", settings: { siteName: "Inkstead Harbour" } } as Parameters<
  typeof requireGoodPassword
>[0];
const maren = { name: "Maren Oduya", email: "maren.oduya+news@example.com" };
const check = (password: string, owner = maren) => {
  try {
    requireGoodPassword(site, owner, password);
    return "taken";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("a new password", () => {
  test.each([
    "password",
    "Password",
    "12345678",
    "qwertyuiop",
    "iloveyou",
    "sunshine1",
    "password1",
    "PASSWORD123",
    "aaaaaaaaaaaa",
    "trustno1",
  ])("%s is too common", (password) => expect(check(password)).toBe(accountTexts.passwordCommon));

  test.each([
    "Maren Oduya",
    "marenoduya",
    "oduyamaren",
    "MarenOduya1990!",
    "M4r3n 0duya",
    "marenmaren",
    "maren.oduya+news@example.com",
    "MAREN.ODUYA",
    "!!maren2026",
    "example.com",
    "InksteadHarbour",
    "1nkst3ad h4rbour",
    "stories.example.org",
  ])("%s is too close to the person or the site", (password) => expect(check(password)).toBe(accountTexts.passwordPersonal));

  test.each(["a lamp in the window", "correct horse 9", "Lamp-room 1911", "marens kettle sings", "xK9#mQ2$vL", "пароль из трёх слов"])(
    "%s is accepted",
    (password) => expect(check(password)).toBe("taken"),
  );

  test("is compared with names in any script, and with short ones only as a whole", () => {
    expect(check("Żaneta Łęcka 7", { name: "Żaneta Łęcka", email: "z@example.com" })).toBe(accountTexts.passwordPersonal);
    expect(check("Li and the kettle", { name: "Li", email: "l@ex.org" })).toBe("taken");
  });
});

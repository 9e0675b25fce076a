import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { passwordStrength } from "#domain/accounts/sign-in/password-strength.ts";
import { checkEmail } from "./account.ts";
import { NewPasswordInput, RecoveryInput, SignInInput, SignUpInput } from "./account-input.ts";

const person = { name: "Maren Oduya", email: "maren@example.com", password: "Lamp-room 1911" };

function messages(schema: z.ZodType, input: unknown): string[] {
  return schema.safeParse(input).error?.issues.map((issue) => issue.message) ?? [];
}

describe("signing up", () => {
  test("accepts valid input", () => {
    expect(SignUpInput.parse(person)).toEqual(person);
  });

  test("trims name and address, but not the password", () => {
    const given = { name: "  Maren Oduya\u200b ", email: " Maren@Example.com ", password: "  lamp room  " };
    expect(SignUpInput.parse(given)).toEqual({ name: "Maren Oduya", email: "maren@example.com", password: "  lamp room  " });
  });

  test("an empty form reports all three fields", () => {
    expect(messages(SignUpInput, {})).toEqual(["Name is required", "Email is required", "Password is required"]);
  });

  test.each([
    ["missing", undefined, "Name is required"],
    ["not a text", 7, "Name is required"],
    ["empty", "", "Name is required"],
    ["blank", "   ", "Name is required"],
    ["invisible", "\u200b\u2060", "Name is required"],
    ["one letter", " M ", "Name must be at least 2 characters"],
    ["one emoji", "🦊", "Name must be at least 2 characters"],
    ["101 letters", "m".repeat(101), "Name cannot exceed 100 characters"],
    ["with a line break", "Maren\nBcc: all", "Your name contains characters we can’t display"],
    ["with a null byte", "Maren\0", "Your name contains characters we can’t display"],
    ["turning the text around", "Maren\u202eayudO", "Your name contains characters we can’t display"],
    ["with half a character", "Maren \ud83e", "Your name contains characters we can’t display"],
    ["turned by a mark", "Maren\u200f1", "Your name contains characters we can’t display"],
    ["an advertisement", "you won! https://evil.example/prize", "Your name can’t include links or email addresses"],
    ["one without a scheme", "you won! evil.example/prize", "Your name can’t include links or email addresses"],
    ["one that mail programs make a link of", "Click prizes.com now", "Your name can’t include links or email addresses"],
    ["one in full width", "ｗｗｗ．evil．example", "Your name can’t include links or email addresses"],
    ["a web address", "WWW.Evil", "Your name can’t include links or email addresses"],
    ["a Markdown link", "[Confirm](evil.zone)", "Your name can’t include links or email addresses"],
    ["a Markdown picture", "![a][b]", "Your name can’t include links or email addresses"],
    ["an address without slashes", "https:evil.zone", "Your name can’t include links or email addresses"],
    ["an address", "maren@evil", "Your name can’t include links or email addresses"],
  ])("a name that is %s is rejected", (_what, name, message) => {
    expect(messages(SignUpInput, { ...person, name })).toEqual([message]);
  });

  test.each([
    "J. R. R. Tolkien",
    "Dr.Oduya",
    "Maren / Tobias",
    "St. John-Smith Jr.",
    "Bo",
    "李明",
    "María-José Núñez",
    "m".repeat(100),
    "🦊🦔",
    "فاطمة",
  ])("%s is a valid name", (name) => {
    expect(SignUpInput.parse({ ...person, name }).name).toBe(name);
  });

  test.each([
    ["missing", undefined, "Email is required"],
    ["empty", " ", "Email is required"],
    ["without a point in the domain", "maren@inkstead", "Please enter a valid email address"],
    ["without an at sign", "maren.example.com", "Please enter a valid email address"],
    ["with a blank", "maren oduya@example.com", "Please enter a valid email address"],
    ["with two points", "maren..oduya@example.com", "Please enter a valid email address"],
    ["with a second line", "maren@example.com\nBcc: all@example.com", "Please enter a valid email address"],
    ["of 255 characters", `${"m".repeat(243)}@example.com`, "Email cannot exceed 254 characters"],
  ])("an address that is %s is rejected", (_what, email, message) => {
    expect(messages(SignUpInput, { ...person, email })).toEqual([message]);
  });

  test.each([
    ["missing", undefined, "Password is required"],
    ["empty", "", "Password is required"],
    ["7 characters long", "1234567", "Password must be at least 8 characters"],
    ["201 characters long", "p".repeat(201), "Password cannot exceed 200 characters"],
  ])("a password that is %s is rejected", (_what, password, message) => {
    expect(messages(SignUpInput, { ...person, password })).toEqual([message]);
    expect(messages(NewPasswordInput, { password })).toEqual([message]);
  });

  test("passwords of 8 and 200 characters are valid", () => {
    for (const length of [8, 200]) expect(messages(SignUpInput, { ...person, password: "p".repeat(length) })).toEqual([]);
  });
});

describe("signing in", () => {
  test.each([
    ["no address", { email: "" }, "Email is required"],
    ["half an address", { email: "maren@" }, "Email address must be a valid address"],
    ["no password", { password: "" }, "Password is required"],
    ["an endless password", { password: "p".repeat(201) }, "Password cannot exceed 200 characters"],
  ])("%s is rejected", (_what, change, message) => {
    expect(messages(SignInInput, { ...person, ...change })).toEqual([message]);
  });

  test("a short password is accepted: it may be old", () => {
    expect(messages(SignInInput, { ...person, password: "short" })).toEqual([]);
  });
});

test("recovery asks for a valid address", () => {
  expect(messages(RecoveryInput, {})).toEqual(["Email is required"]);
  expect(messages(RecoveryInput, { email: "maren" })).toEqual(["Please enter a valid email address"]);
});

test("Better Auth accepts every address that we accept", () => {
  const piece = fc.stringMatching(/^[\w.+'-]{0,12}$/);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.tuple(piece, piece).map((parts) => `${parts[0]}@${parts[1]}`),
      ),
      (email) => {
        return checkEmail(email) !== undefined || z.email().safeParse(email.toLowerCase()).success;
      },
    ),
    { numRuns: 2000 },
  );
});

test("malicious addresses are rejected quickly", () => {
  const start = performance.now();
  for (const email of ["a.".repeat(126), `a@${"a-".repeat(125)}`, `${"'".repeat(200)}@`]) checkEmail(email);
  expect(performance.now() - start).toBeLessThan(5_000); // Backtracking would take minutes.
});

describe("password strength", () => {
  test.each([
    ["", 0, "Very Weak"],
    ["a", 1, "Very Weak"],
    ["aB", 2, "Weak"],
    ["aB3", 3, "Fair"],
    ["aB3!", 4, "Good"],
    ["abcdefgh", 2, "Weak"],
    ["Lamp-room 1911", 5, "Strong"],
    ["Öäpfel-99", 5, "Strong"],
    ["中文密码", 0, "Very Weak"],
  ])("%j scores %i, %s", (password, score, label) => {
    expect(passwordStrength(password)).toMatchObject({ score, label });
  });

  test.each([
    ["", [false, false, false]],
    ["abcdefgh", [true, false, false]],
    ["aB", [false, true, false]],
    ["4", [false, false, true]],
    ["Lamp1911", [true, true, true]],
  ])("%j ticks the hints %j", (password, met) => {
    const { hints } = passwordStrength(password);
    expect(hints.map((hint) => hint.met)).toEqual(met);
    expect(hints.map((hint) => hint.text)).toEqual(["At least 8 characters", "Upper and lowercase letters", "At least one number"]);
  });
});

/** Limits, texts and checks of accounts; browser-safe (specification §5, Signup and Login). */
import { checkName, nameTexts } from "../names.ts";

const emailMaxLength = 254;
export const passwordMinLength = 8;
export const passwordMaxLength = 200;

export const accountTexts = {
  ...nameTexts,
  emailRequired: "Email is required",
  emailInvalid: "Please enter a valid email address",
  emailTooLong: `Email cannot exceed ${emailMaxLength} characters`,
  emailTaken: "An account with this email address already exists",
  passwordRequired: "Password is required",
  passwordTooShort: `Password must be at least ${passwordMinLength} characters`,
  passwordCommon: "This password is too common. Please choose another.",
  passwordPersonal: "This password is too similar to your name, your email or this site’s name. Please choose another.",
  passwordTooLong: `Password cannot exceed ${passwordMaxLength} characters`,
  signInEmailInvalid: "Email address must be a valid address",
  wrongCredentials: "Invalid credentials. Please check the email and password.",
  registrationClosed: "Registration is closed",
  passwordWrong: "Incorrect password",
  codeRequired: "Code is required",
  codeWrong: "That code didn’t work. Try the latest one from your app.",
  codeUsed: "That code was already used. Sign in again with the next one.",
  codeUnreadable: "We can’t check your codes anymore. Please ask the site’s operator to turn off two-step verification for you.",
  codeTooLate: "That took too long. Please sign in again.",
  linkOfAnother: "This link belongs to another account. Sign out, then sign in to that account.",
  confirmFirst: "Confirm your email first. Open the link we sent you.",
  linkUsedUp: "This link has expired or was already used. Request a new one.",
};

export type Check = (text: string) => string | undefined;

export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function checkEmail(given: string): string | undefined {
  return emailProblem(given, accountTexts.emailInvalid);
}

function checkSignInEmail(given: string): string | undefined {
  return emailProblem(given, accountTexts.signInEmailInvalid);
}

function emailProblem(given: string, invalid: string): string | undefined {
  const email = normalizeEmail(given);
  if (email === "") return accountTexts.emailRequired;
  if (email.length > emailMaxLength) return accountTexts.emailTooLong;
  return emailPattern.test(email) ? undefined : invalid;
}

/** Accepts nothing that Better Auth would reject later. */
const emailPattern = /^[\w+'-]+(?:\.[\w+'-]+)*(?<!')@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i;

function checkNewPassword(password: string): string | undefined {
  if (password !== "" && password.length < passwordMinLength) return accountTexts.passwordTooShort;
  return checkPassword(password);
}

function checkPassword(password: string): string | undefined {
  if (password === "") return accountTexts.passwordRequired;
  return password.length > passwordMaxLength ? accountTexts.passwordTooLong : undefined;
}

function checkCode(code: string): string | undefined {
  return code.trim() === "" ? accountTexts.codeRequired : undefined;
}

export const signUpChecks = { name: checkName, email: checkEmail, password: checkNewPassword } satisfies Record<string, Check>;
export const signInChecks = { email: checkSignInEmail, password: checkPassword } satisfies Record<string, Check>;
export const recoveryChecks = { email: checkEmail } satisfies Record<string, Check>;
export const newPasswordChecks = { password: checkNewPassword } satisfies Record<string, Check>;
export const renameChecks = { name: checkName } satisfies Record<string, Check>;
export const emailChangeChecks = { email: checkEmail, password: checkPassword } satisfies Record<string, Check>;
export const passwordChangeChecks = { current: checkPassword, password: checkNewPassword } satisfies Record<string, Check>;
export const passwordAskedChecks = { password: checkPassword } satisfies Record<string, Check>;
export const codeChecks = { code: checkCode } satisfies Record<string, Check>;

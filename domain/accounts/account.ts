/** Limits, texts and checks of an account; browser-safe (specification §5, Signup and Login). */
export const nameMin = 2;
export const nameMax = 100;
/** What mail itself allows. */
export const emailMax = 254;
export const passwordMin = 8;
export const passwordMax = 200;

export const accountTexts = {
  nameRequired: "Name is required",
  nameTooShort: `Name must be at least ${nameMin} characters`,
  nameTooLong: `Name cannot exceed ${nameMax} characters`,
  nameNotPlain: "Your name can’t include links or email addresses",
  nameNotText: "Your name contains characters we can’t display",
  emailRequired: "Email is required",
  emailInvalid: "Please enter a valid email address",
  emailTooLong: `Email cannot exceed ${emailMax} characters`,
  emailTaken: "An account with this email address already exists",
  passwordRequired: "Password is required",
  passwordTooShort: `Password must be at least ${passwordMin} characters`,
  passwordCommon: "This password is too common. Please choose another.",
  passwordPersonal: "This password is too similar to your name, your email or this site’s name. Please choose another.",
  passwordTooLong: `Password cannot exceed ${passwordMax} characters`,
  signInEmailInvalid: "Email address must be a valid address",
  wrongCredentials: "Invalid credentials. Please check the email and password.",
  registrationClosed: "Registration is closed",
  passwordWrong: "Incorrect password",
  codeRequired: "Code is required",
  codeWrong: "That code didn’t work. Try the latest one from your app.",
  codeUsed: "That code was already used. Sign in again with the next one.",
  codeTooLate: "That took too long. Please sign in again.",
  passkeyFailed: "We couldn’t use that passkey. Please try again.",
  deletionWord: "Type DELETE to confirm",
  linkOfAnother: "This link belongs to another account. Sign out, then sign in to that account.",
  confirmFirst: "Confirm your email first. Open the link we sent you.",
  linkUsedUp: "This link has expired or was already used. Request a new one.",
};

/** Says what is wrong with a text, or nothing. */
export type Check = (text: string) => string | undefined;

/** Without the blanks and invisible characters around it. */
export function tidyName(name: string): string {
  return name.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
}

export function tidyEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function checkName(given: string): string | undefined {
  const name = tidyName(given);
  const length = [...name].length;
  if (length === 0) return accountTexts.nameRequired;
  if (unshowable.test(name)) return accountTexts.nameNotText;
  if (!isPlainName(name)) return accountTexts.nameNotPlain;
  if (length < nameMin) return accountTexts.nameTooShort;
  if (length > nameMax) return accountTexts.nameTooLong;
  return undefined;
}

/** Control characters, halves of characters, and what turns the direction of the text around it. */
const unshowable = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Names stand in emails to others: one that mail programs make a link of would be an advertisement. */
export function isPlainName(name: string): boolean {
  return !linkLike.test(name.normalize("NFKC"));
}

const linkLike =
  /@|:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2,}\/|[\p{L}\p{N}]\.(?:com|net|org|info|biz|io|xyz|top|shop|site|online|link|app|example)(?![\p{L}\p{N}])/iu;

export function checkEmail(given: string): string | undefined {
  return emailProblem(given, accountTexts.emailInvalid);
}

export function checkSignInEmail(given: string): string | undefined {
  return emailProblem(given, accountTexts.signInEmailInvalid);
}

function emailProblem(given: string, invalid: string): string | undefined {
  const email = tidyEmail(given);
  if (email === "") return accountTexts.emailRequired;
  if (email.length > emailMax) return accountTexts.emailTooLong;
  return ordinaryAddress.test(email) ? undefined : invalid;
}

/** No wider than what the accounts library takes, which would otherwise refuse it later and worse. */
const ordinaryAddress = /^[\w+'-]+(?:\.[\w+'-]+)*(?<!')@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i;

export function checkNewPassword(password: string): string | undefined {
  if (password !== "" && password.length < passwordMin) return accountTexts.passwordTooShort;
  return checkPassword(password);
}

export function checkPassword(password: string): string | undefined {
  if (password === "") return accountTexts.passwordRequired;
  return password.length > passwordMax ? accountTexts.passwordTooLong : undefined;
}

export function checkCode(code: string): string | undefined {
  return code.trim() === "" ? accountTexts.codeRequired : undefined;
}

/** What each form asks for: the server's schemas and the browser's early answers are both made of these. */
export const signUpChecks = { name: checkName, email: checkEmail, password: checkNewPassword } satisfies Record<string, Check>;
export const signInChecks = { email: checkSignInEmail, password: checkPassword } satisfies Record<string, Check>;
export const recoveryChecks = { email: checkEmail } satisfies Record<string, Check>;
export const newPasswordChecks = { password: checkNewPassword } satisfies Record<string, Check>;
export const renameChecks = { name: checkName } satisfies Record<string, Check>;
export const emailChangeChecks = { email: checkEmail, password: checkPassword } satisfies Record<string, Check>;
export const passwordChangeChecks = { current: checkPassword, password: checkNewPassword } satisfies Record<string, Check>;
export const passwordAskedChecks = { password: checkPassword } satisfies Record<string, Check>;
export const codeChecks = { code: checkCode } satisfies Record<string, Check>;

import { z } from "zod";
import { normalizeName } from "../names.ts";
import {
  type Check,
  codeChecks,
  emailChangeChecks,
  newPasswordChecks,
  normalizeEmail,
  passwordAskedChecks,
  passwordChangeChecks,
  recoveryChecks,
  renameChecks,
  signInChecks,
  signUpChecks,
} from "./account.ts";

export const SignUpInput = z.object({
  name: text(signUpChecks.name, normalizeName),
  email: text(signUpChecks.email, normalizeEmail),
  password: text(signUpChecks.password),
});
export type SignUpInput = z.output<typeof SignUpInput>;

export const SignInInput = z.object({ email: text(signInChecks.email, normalizeEmail), password: text(signInChecks.password) });
export type SignInInput = z.output<typeof SignInInput>;

export const RecoveryInput = z.object({ email: text(recoveryChecks.email, normalizeEmail) });
export const NewPasswordInput = z.object({ password: text(newPasswordChecks.password) });

/** `userId`: who opened the form. */
export const RenameInput = z.object({ name: text(renameChecks.name, normalizeName), userId: z.string() });
export const EmailChangeInput = z.object({
  email: text(emailChangeChecks.email, normalizeEmail),
  password: text(emailChangeChecks.password),
});
export const PasswordChangeInput = z.object({
  current: text(passwordChangeChecks.current),
  password: text(passwordChangeChecks.password),
});
export const PasswordAskedInput = z.object({ password: text(passwordAskedChecks.password) });
export const CodeInput = z.object({ code: text(codeChecks.code), trust: z.string().optional() });

function text(check: Check, tidy: (text: string) => string = (typed) => typed) {
  return z
    .string({ error: check("") })
    .superRefine((typed, context) => {
      const message = check(typed);
      if (message) context.addIssue({ code: "custom", message });
    })
    .transform(tidy);
}

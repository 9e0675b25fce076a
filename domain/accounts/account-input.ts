import { z } from "zod";
import { tidyName } from "../names.ts";
import {
  type Check,
  codeChecks,
  emailChangeChecks,
  newPasswordChecks,
  passwordAskedChecks,
  passwordChangeChecks,
  recoveryChecks,
  renameChecks,
  signInChecks,
  signUpChecks,
  tidyEmail,
} from "./account.ts";

export const SignUpInput = z.object({
  name: text(signUpChecks.name, tidyName),
  email: text(signUpChecks.email, tidyEmail),
  password: text(signUpChecks.password),
});
export type SignUpInput = z.output<typeof SignUpInput>;

export const SignInInput = z.object({ email: text(signInChecks.email, tidyEmail), password: text(signInChecks.password) });
export type SignInInput = z.output<typeof SignInInput>;

export const RecoveryInput = z.object({ email: text(recoveryChecks.email, tidyEmail) });
export const NewPasswordInput = z.object({ password: text(newPasswordChecks.password) });

export const RenameInput = z.object({ name: text(renameChecks.name, tidyName) });
export const EmailChangeInput = z.object({ email: text(emailChangeChecks.email, tidyEmail), password: text(emailChangeChecks.password) });
export const PasswordChangeInput = z.object({
  current: text(passwordChangeChecks.current),
  password: text(passwordChangeChecks.password),
});
export const PasswordAskedInput = z.object({ password: text(passwordAskedChecks.password) });
export const CodeInput = z.object({ code: text(codeChecks.code), trust: z.string().optional() });

function text(check: Check, tidy: (text: string) => string = (given) => given) {
  return z
    .string({ error: check("") })
    .superRefine((given, context) => {
      const message = check(given);
      if (message) context.addIssue({ code: "custom", message });
    })
    .transform(tidy);
}

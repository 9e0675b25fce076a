import { z } from "zod";
import { type Check, newPasswordChecks, recoveryChecks, signInChecks, signUpChecks, tidyEmail, tidyName } from "./account.ts";

/** What the account forms send. Not for the browser bundle: it brings Zod. */
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

/** A text that passes `check`; a missing one is answered as an empty one. */
function text(check: Check, tidy: (text: string) => string = (given) => given) {
  return z
    .string({ error: check("") })
    .superRefine((given, context) => {
      const message = check(given);
      if (message) context.addIssue({ code: "custom", message });
    })
    .transform(tidy);
}

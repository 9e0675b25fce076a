import { refusalOf } from "#app/shell/refusals.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import type { EmailTest } from "#domain/mail/email-test.ts";
import { trySetupEmail } from "#domain/setup/setup.server.ts";
import { SetupEmailInput } from "#domain/setup/setup-input.ts";
import type { Site } from "#domain/site.ts";

type EmailTestRequest = { site: Site; origin: ClientInfo; token: string };

/** Failures are part of the answer, so that they show next to the button. */
export async function respondToEmailTest(form: FormData, { site, origin: client, token }: EmailTestRequest): Promise<EmailTest> {
  const failed = (problem: string | undefined): EmailTest => ({ result: "failed", isRetried: false, problem: problem ?? null });
  const parsed = SetupEmailInput.safeParse({ email: form.get("email") ?? "" });
  if (!parsed.success) return failed(parsed.error.issues[0]?.message);
  try {
    return await trySetupEmail(site, client, token, parsed.data.email);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code !== "too-many") throw error;
    return failed(refusal.message);
  }
}

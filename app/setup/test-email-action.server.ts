import { refusalOf } from "#app/shell/refusals.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import type { TestEmailResult } from "#domain/mail/test-email.ts";
import { trySetupEmail } from "#domain/setup/setup.server.ts";
import { SetupEmailInput } from "#domain/setup/setup-input.ts";
import type { Site } from "#domain/site.ts";

type TestEmailRequest = { site: Site; origin: ClientInfo; token: string };

/** Failures are part of the answer, so that they show next to the button. */
export async function respondToTestEmail(form: FormData, { site, origin: client, token }: TestEmailRequest): Promise<TestEmailResult> {
  const failed = (problem: string | undefined): TestEmailResult => ({ result: "failed", isRetried: false, problem: problem ?? null });
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

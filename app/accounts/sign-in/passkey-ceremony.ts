import { passkeyFailed } from "#domain/accounts/sign-in/passkey-failed.ts";

export type CeremonyRefusal = { message: string; field?: string | undefined };

const cancelled: CeremonyRefusal = { message: "Nothing changed: your device didn’t confirm." };

export async function makePasskey(form: FormData): Promise<CeremonyRefusal | undefined> {
  return ceremony(async () => {
    const options = await send("/account/passkeys/start", form);
    const { startRegistration } = await import("@simplewebauthn/browser");
    const response = await startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]["optionsJSON"] });
    const formData = new FormData();
    formData.set("name", String(form.get("name") ?? ""));
    formData.set("response", JSON.stringify(response));
    await send("/account/passkeys/add", formData);
  });
}

export async function requestPasskey(): Promise<{ response: string } | CeremonyRefusal> {
  let assertion = "";
  const refused = await ceremony(async () => {
    const options = await send("/login/passkey/start", new FormData());
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const response = await startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]["optionsJSON"] });
    assertion = JSON.stringify(response);
  });
  return refused ?? { response: assertion };
}

class CeremonyRefused extends Error {
  readonly refusal: CeremonyRefusal;

  constructor(refusal: CeremonyRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

async function ceremony(work: () => Promise<void>): Promise<CeremonyRefusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof CeremonyRefused) return error.refusal;
    const name = error instanceof Error ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") return cancelled;
    if (name === "InvalidStateError") return { message: "This device already has a passkey for your account." };
    return { message: passkeyFailed };
  }
}

async function send(path: string, form: FormData): Promise<unknown> {
  const response = await fetch(path, { method: "POST", body: form, headers: { accept: "application/json" } });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  throw new CeremonyRefused((body as CeremonyRefusal | null)?.message ? (body as CeremonyRefusal) : { message: passkeyFailed });
}

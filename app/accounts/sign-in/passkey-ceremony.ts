import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { fetchJson, RequestRefused } from "#app/browser/fetch-json.ts";
import { passkeyFailed } from "#domain/accounts/sign-in/passkey-failed.ts";

export type CeremonyRefusal = { message: string; field?: string | undefined };

const canceled: CeremonyRefusal = { message: "Nothing changed: your device didn’t confirm." };

export async function makePasskey(form: FormData): Promise<CeremonyRefusal | undefined> {
  return ceremony(async () => {
    const optionsJSON = await send<PublicKeyCredentialCreationOptionsJSON>("/account/passkeys/start", form);
    const { startRegistration } = await import("@simplewebauthn/browser");
    const response = await startRegistration({ optionsJSON });
    const formData = new FormData();
    formData.set("name", String(form.get("name") ?? ""));
    formData.set("response", JSON.stringify(response));
    await send("/account/passkeys/add", formData);
  });
}

export async function requestPasskey(): Promise<{ response: string } | CeremonyRefusal> {
  let assertion = "";
  const refused = await ceremony(async () => {
    const optionsJSON = await send<PublicKeyCredentialRequestOptionsJSON>("/login/passkey/start", new FormData());
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const response = await startAuthentication({ optionsJSON });
    assertion = JSON.stringify(response);
  });
  return refused ?? { response: assertion };
}

async function ceremony(work: () => Promise<void>): Promise<CeremonyRefusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof RequestRefused) return { message: error.message || passkeyFailed, field: error.field };
    const name = error instanceof Error ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") return canceled;
    if (name === "InvalidStateError") return { message: "This device already has a passkey for your account." };
    return { message: passkeyFailed };
  }
}

function send<Result>(path: string, body: FormData): Promise<Result> {
  return fetchJson(path, { method: "POST", body });
}

import { data } from "react-router";
import { clientContext, requireMember, siteContext, viewerContext } from "#app/context.ts";
import { useLastResult } from "#app/forms/use-last-result.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { type ApiKey, apiKeyScopes } from "#domain/accounts/api-keys/api-key.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "#domain/accounts/api-keys/api-keys.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/api-keys-page.ts";
import { ApiKeyList, type FailedApiKey, NewApiKeyForm, removeKeyQuestion, removeKeyText } from "./api-key-parts.tsx";
import { OneTimeSecret } from "./one-time-secret.tsx";
import { SettingsLayout } from "./settings-layout.tsx";
import { SettingsSection } from "./settings-section.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const [site, member] = [context.get(siteContext), requireMember(context)];
  return { keys: await listApiKeys(site, member), mayModerate: member.staff !== null, now: site.now() };
}

/** `removed`: the key to remove, once confirmed. */
type ActionResult = { secret?: string; failed?: FailedApiKey; removed?: string };

export async function action({ request, context }: Route.ActionArgs) {
  const [site, viewer, client] = [context.get(siteContext), context.get(viewerContext), context.get(clientContext)];
  const form = await readForm(request, formLimits.account);
  const text = (name: string) => String(form.get(name) ?? "");
  if (text("step") === "remove") {
    if (text("confirmed") !== "yes") return data<ActionResult>({ removed: text("id") });
    await revokeApiKey(site, viewer, client, text("id"));
    return redirectWithToast("/account/keys", { tone: "success", text: "The key has been removed." });
  }
  const scopes = apiKeyScopes.filter((scope) => form.getAll("scopes").includes(scope));
  const values = { name: text("name"), scopes, days: Number(text("days")) };
  try {
    const secret = await createApiKey(site, viewer, client, { ...values, password: text("password") });
    return data<ActionResult>({ secret }, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    return respondToForm<ActionResult>(error, ({ message, field }) => ({ failed: { values, message, field } }), ["sign-in-required"]);
  }
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "API keys" });

export default function ApiKeysPage({ loaderData: { keys, mayModerate, now }, actionData }: Route.ComponentProps) {
  const secret = useLastResult(actionData?.secret) ?? "";
  const removed = keys.find(({ id }) => id === actionData?.removed);
  if (removed) return <RemoveKey apiKey={removed} />;
  return (
    <SettingsLayout title="API keys" back={{ to: "/account", label: "Account" }}>
      {secret && (
        <OneTimeSecret
          id="made-key"
          title="Copy your new key now"
          text="You won’t see it again. Anyone who has it can do what you allowed."
          secret={secret}
          className="mb-9"
        />
      )}
      <SettingsSection
        id="keys"
        title="Your keys"
        text="Apps use keys to act as you, without your password. A new password, or signing out all other devices, removes them."
      >
        <ApiKeyList keys={keys} now={now} />
      </SettingsSection>
      <SettingsSection
        id="new-key"
        title="New key"
        text="Allow only what the app needs. Keys can’t change your password, email or how you sign in."
      >
        <NewApiKeyForm key={secret} mayModerate={mayModerate} failed={actionData?.failed} />
      </SettingsSection>
    </SettingsLayout>
  );
}

function RemoveKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  return <ConfirmPage {...removeKeyQuestion} text={removeKeyText(name)} cancel="/account/keys" fields={{ step: "remove", id }} />;
}

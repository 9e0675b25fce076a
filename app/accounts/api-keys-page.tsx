import { data, redirect } from "react-router";
import { originContext, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath, refusalOf } from "#app/shell/refusals.ts";
import { type ApiKeyScope, apiKeyScopes } from "#domain/accounts/api-keys/api-key.ts";
import { listApiKeys, makeApiKey, revokeApiKey } from "#domain/accounts/api-keys/api-keys.server.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/api-keys-page.ts";
import { AccountArea } from "./account-area.tsx";
import { ApiKeyList, type FailedApiKey, MadeApiKey, NewApiKeyForm } from "./api-key-parts.tsx";
import { SettingsSection } from "./settings-section.tsx";

export async function loader({ url, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect(loginPath(url.pathname));
  const site = context.get(siteContext);
  return { keys: await listApiKeys(site, viewer), mayModerate: viewer.staff !== null, now: site.now() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const form = await readForm(request, formLimits.account);
  const text = (name: string) => String(form.get(name) ?? "");
  if (text("step") === "remove") {
    await revokeApiKey(site, viewer, context.get(originContext), text("id"));
    return redirectWithToast("/account/keys", { tone: "success", text: "The key has been removed." });
  }
  const typed = { name: text("name"), scopes: form.getAll("scopes").map(String).filter(isScope), days: Number(text("days")) };
  try {
    const secret = await makeApiKey(site, viewer, context.get(originContext), { ...typed, password: text("password") });
    return showKeys({ secret }, 200);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code === "sign-in-first") throw error;
    return showKeys({ failed: { typed, message: refusal.message, field: refusal.field } }, statusOf(refusal));
  }
}

function isScope(text: string): text is ApiKeyScope {
  return (apiKeyScopes as readonly string[]).includes(text);
}

/** A secret is for this answer only. */
function showKeys(what: { secret?: string; failed?: FailedApiKey }, status: number) {
  return data(what, { status, headers: { "cache-control": "no-store" } });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "API keys" });

export default function ApiKeysPage({ loaderData: { keys, mayModerate, now }, actionData }: Route.ComponentProps) {
  return (
    <AccountArea title="API keys" back={{ to: "/account", label: "Account" }}>
      {actionData?.secret && <MadeApiKey secret={actionData.secret} />}
      <SettingsSection id="keys" title="Your keys" text="Apps use keys to act as you, without your password.">
        <ApiKeyList keys={keys} now={now} />
      </SettingsSection>
      <SettingsSection
        id="new-key"
        title="New key"
        text="Allow only what the app needs. Keys can’t change your password, email or how you sign in."
      >
        <NewApiKeyForm key={actionData?.secret ?? ""} mayModerate={mayModerate} failed={actionData?.failed} />
      </SettingsSection>
    </AccountArea>
  );
}

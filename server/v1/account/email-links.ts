import { z } from "zod";
import {
  confirmByLink,
  emailConfirmationLink,
  emailRecoveryLink,
  recoverByLink,
  type SentLink,
} from "#domain/accounts/linked-emails.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import { newId } from "#platform/ids.ts";
import { requireMember } from "../caller.ts";
import { ApiError } from "../errors.ts";
import { isoDate } from "../json.ts";
import type { Api, Call } from "../operation.ts";
import { mayLinkTo } from "../origins.ts";
import { Email, Id, invalidParam, NewPassword, text } from "../params.ts";
import { readEmail } from "./account.ts";
import { Token } from "./models.ts";

const Secret = z.object({ userId: Id, secret: text(2000) });

export function emailLinkOperations(api: Api): void {
  const path = "/account/recovery";
  api.on(
    {
      method: "post",
      path,
      scope: "none",
      summary: "Emails a link to choose a new password.",
      body: z.object({ email: Email, url: text(2000) }),
      response: Token,
      status: 201,
    },
    async (call) => {
      const { email, url } = call.body;
      return tokenOf(call.site, await emailRecoveryLink(call.site, call.client, { email: readEmail(email), url: checkLink(call, url) }));
    },
  );
  api.on(
    {
      method: "put",
      path,
      scope: "none",
      summary: "Sets a new password with the token from that link.",
      body: Secret.extend({ password: NewPassword }),
      response: Token,
    },
    async ({ site, client, body }) => {
      await recoverByLink(site, client, body).catch(refuseToken);
      return tokenOf(site, { userId: body.userId, expiresAt: site.now() });
    },
  );

  // Clients use the second path since 21.1.
  for (const path of ["/account/verification", "/account/verifications/email"]) {
    api.on(
      {
        method: "post",
        path,
        scope: "none",
        summary: "Emails a link to confirm the address.",
        body: z.object({ url: text(2000) }),
        response: Token,
        status: 201,
        membersOnly: true,
      },
      async (call) => {
        const sent = emailConfirmationLink(call.site, requireMember(call), checkLink(call, call.body.url));
        return tokenOf(call.site, await sent.catch(refuseConfirmed));
      },
    );
    api.on(
      { method: "put", path, scope: "none", summary: "Confirms the address with the token from that link.", body: Secret, response: Token },
      async ({ site, body }) => {
        await confirmByLink(site, body).catch(refuseToken);
        return tokenOf(site, { userId: body.userId, expiresAt: site.now() });
      },
    );
  }
}

function checkLink({ site, config }: Call, url: string): string {
  if (mayLinkTo(url, site.url, config)) return url;
  const hosts = [new URL(site.url).host, ...config.origins.map((origin) => new URL(origin).host)];
  throw invalidParam("url", `URL host must be one of: ${hosts.join(", ")}`);
}

/** Without the secret, which is only in the email. */
function tokenOf(site: Site, { userId, expiresAt }: SentLink): z.input<typeof Token> {
  return { $id: newId(site.now()), $createdAt: isoDate(site.now()), userId, secret: "", expire: isoDate(expiresAt), phrase: "" };
}

function refuseToken(error: unknown): never {
  if (isRefusal(error) && error.field === "password") throw invalidParam("password", error.message);
  throw isRefusal(error) && error.code === "invalid" ? new ApiError("user_invalid_token") : error;
}

function refuseConfirmed(error: unknown): never {
  throw isRefusal(error) && error.code === "conflict" ? new ApiError("user_email_already_verified") : error;
}

import type { Hono } from "hono";
import type { Site } from "#domain/site.ts";
import { type ApiConfig, defaultApi } from "#platform/config.ts";
import type { Web } from "../http.ts";
import type { Gate } from "../limits/gate.ts";
import { accountOperations } from "./account/account.ts";
import { emailLinkOperations } from "./account/email-links.ts";
import { sessionOperations } from "./account/session-operations.ts";
import { Api } from "./api.ts";
import { followWriter } from "./documents/follows.ts";
import { conversationWriter, messageWriter } from "./documents/messages.ts";
import { documentOperations, missingCollections } from "./documents/operations.ts";
import { postWriter } from "./documents/posts.ts";
import { profileWriter } from "./documents/profiles.ts";
import { reactionWriter } from "./documents/reactions.ts";
import { reportWriter } from "./documents/reports.ts";
import { fileOperations } from "./files/operations.ts";
import { apiDescriber } from "./openapi.ts";

/** `/v1`: the public API, in the hosted backend's protocol (docs/api.md). */
export function apiRoutes({
  site,
  config = defaultApi,
  proxies,
  gate,
}: {
  site: Site;
  config?: ApiConfig | undefined;
  proxies?: string[];
  gate: Gate;
}): Hono<Web> {
  const api = new Api({ site, config, proxies, gate });
  api.on({ method: "get", path: "/ping", does: "Answers `Pong!`.", answer: "bytes" }, async () => new Response("Pong!"));
  accountOperations(api);
  sessionOperations(api);
  emailLinkOperations(api);
  const writers = [
    postWriter,
    profileWriter,
    reactionWriter("likes"),
    reactionWriter("bookmarks"),
    messageWriter,
    conversationWriter,
    followWriter,
    reportWriter,
  ];
  for (const writer of writers) documentOperations(api, config, writer);
  missingCollections(api, config);
  fileOperations(api, config);
  const describeApi = apiDescriber(api.operations, site);
  api.routes.get("/openapi.json", () => Response.json(describeApi(), { headers: { "content-type": "application/json; charset=UTF-8" } }));
  return api.finish();
}

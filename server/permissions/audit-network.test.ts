import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createApiKeyFor } from "#domain/accounts/api-keys/api-keys.server.ts";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { openSiteServer, type SiteServer } from "../../tests/permissions/site-server.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let server: SiteServer;
beforeAll(async () => {
  world = await openWorld();
  server = await openSiteServer(world);
  await addPost(world, world.maren, { id: "unready", status: "inactive" });
});
afterAll(async () => {
  await server.close();
  await world.close();
});

/** Requests from 192.0.2.7, as reported by a proxy on this machine. */
const get = (path: string, headers: Record<string, string>) =>
  fetch(`${server.origin}${path}`, { headers: { "x-forwarded-for": "192.0.2.7", "x-appwrite-project": "inkstead", ...headers } });

const recorded = () => world.site.db.selectFrom("audit_log").select(["action", "network"]).orderBy("number", "desc").executeTakeFirst();

test(`audit entries of private reads through a page, the API or a file name the network, on ${inject("engine")}`, async () => {
  const { site, maren, tobias, ruth } = world;
  const { cookie } = await signIn(world, ruth, { reauthenticated: true });
  expect((await get("/post/unready", { cookie })).status).toBe(200);
  expect(await recorded()).toEqual({ action: "draft.viewed", network: "192.0.2.0/24" });

  await site.db.deleteFrom("audit_log").execute();
  const { secret } = await createApiKeyFor(site, ruth.email, { name: "Moderation", scopes: ["read", "moderate"], days: 365 });
  const draft = await get("/v1/databases/main/collections/posts/documents/unready", { "x-appwrite-key": secret });
  expect(draft.status).toBe(200);
  expect(await recorded()).toEqual({ action: "draft.viewed", network: "192.0.2.0/24" });

  await sendAttachment(site, maren, { to: tobias.id, sendId: "1", upload: await picture() });
  const file = await site.db.selectFrom("messages").select("fileId").where("fileId", "is not", null).executeTakeFirstOrThrow();
  expect((await get(`/files/${file.fileId}`, { cookie })).status).toBe(200);
  expect((await recorded())?.network).toBe("192.0.2.0/24");
  expect((await recorded())?.action).not.toBe("draft.viewed");
});

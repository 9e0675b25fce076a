import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hono } from "hono";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { WebSocket } from "ws";
import { openLive } from "#server/live/live.ts";
import { dropDatabase } from "../tests/postgres/databases.ts";
import { picture } from "../tests/support/pictures.ts";
import { formPost, openWeb } from "../tests/support/web.ts";
import { openWorld, signIn, type World } from "../tests/support/world.ts";
import type { Web } from "./http.ts";
import { openSockets } from "./sockets.ts";
import { sessionValue } from "./v1/caller.ts";

const readsWork = inject("engine") === "sqlite";

/** Stops PostgreSQL, or makes SQLite's disk read-only, like a failing one. */
async function breakDatabase({ site, environment }: World): Promise<void> {
  if (inject("engine") === "postgres") await dropDatabase(new URL(environment.DATABASE_URL ?? "").pathname.slice(1));
  else await sql`pragma query_only = on`.execute(site.db);
}

describe("while the database can't be used", () => {
  let world: World;
  let web: Hono<Web>;
  let cookie: string;
  beforeEach(async () => {
    world = await openWorld();
    web = openWeb(world);
    ({ cookie } = await signIn(world, world.maren));
    await breakDatabase(world);
  });
  afterEach(() => world.close());

  async function expectClosed(answer: Response): Promise<string> {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    const text = await answer.text();
    expect(text).not.toMatch(/node_modules|\bat .*\.ts:\d|ECONN|SQLITE|does not exist|NotSavedError|DatabaseUnreachable/);
    return text;
  }

  test.each([
    ["/", "Back in a moment"],
    ["/all-posts", "Back in a moment"],
    ["/profile", "<title>Back in a moment · Inkstead</title>"],
    ["/why-not-here", "<title>Back in a moment · Inkstead</title>"],
  ])("%s gets the best possible response", async (path, text) => {
    const answer = await web.request(path, { headers: { cookie } });
    if (readsWork) expect(answer.status).toBeLessThan(500);
    else {
      const page = await expectClosed(answer);
      expect(page).toContain(text);
      expect(page).toContain("Try Again");
    }
  });

  test("a story posted without JavaScript is returned for another try", async () => {
    const body = new FormData();
    const content = 'The <last> bus & "its" driver';
    for (const [name, value] of Object.entries({ title: "Night Bus", slug: "night-bus", content, status: "active" })) body.set(name, value);
    body.set("featuredImage", new File([(await picture("bus.png")).bytes as Uint8Array<ArrayBuffer>], "bus.png"));
    const headers = { cookie, origin: world.site.url, "content-length": "2000" };
    const copy = vi.spyOn(Request.prototype, "clone");
    const page = await expectClosed(await web.request("/add-post", { method: "POST", body, headers }));
    // A copy would keep the body twice.
    expect(copy).not.toHaveBeenCalled();
    expect(page).toMatch(/<form [^>]*action="\/add-post"/);
    expect(page).toMatch(/<textarea[^>]*name="title"[^>]*>Night Bus<\/textarea>/);
    expect(page).toContain("The &lt;last&gt; bus &amp; &quot;its&quot; driver</textarea>");
    expect(page).toContain("You’ll need to choose your files again");
  });

  test("passwords are not returned", async () => {
    const post = formPost({ email: "maren@example.com", password: "a lamp in the window" }, { "content-length": "60" });
    const page = await expectClosed(await web.request("/login", post));
    expect(page).toContain("maren@example.com");
    expect(page).not.toContain("a lamp in the window");
  });

  test("requests of scripts get the same status, without a page", async () => {
    const post = formPost({ reaction: "like", wanted: "yes" }, { cookie });
    const answer = await web.request("/post/night-bus/react.data", post);
    expect(answer.headers.get("content-type")).not.toContain("html");
    expect(await expectClosed(answer)).toContain("unavailable");
  });

  test("API clients are asked to come again", async () => {
    const token = decodeURIComponent(cookie).split("=")[1]?.split(".")[0] ?? "";
    const session = sessionValue(world.site, world.maren.id, token);
    const headers = { "x-appwrite-project": "inkstead", "content-type": "application/json", "x-appwrite-session": session };
    const documents = "/v1/databases/main/collections/likes/documents";
    const body = JSON.stringify({ documentId: "unique()", data: { postId: "night-bus" } });
    const text = await expectClosed(await web.request(documents, { method: "POST", headers, body }));
    expect(JSON.parse(text)).toMatchObject({ code: 503, type: "general_unavailable" });
  });

  test("files and /readyz answer 503", async () => {
    expect((await web.request("/files/19dfa1c0000", { headers: { cookie } })).status).toBe(readsWork ? 404 : 503);
    expect((await web.request("/healthz")).status).toBe(200);
    expect((await web.request("/readyz")).status).toBe(readsWork ? 200 : 503);
  });

  test("the live socket is refused with the same status if sessions are unreadable, otherwise it opens", async () => {
    const sockets = openSockets(world.site, { countUpgrade: () => undefined, endpoints: [openLive(world.site)] });
    const server = createServer().on("upgrade", sockets.upgrade).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { cookie, origin: world.site.url } });
    const opened = once(socket, "open").then(() => "opened");
    const refused = once(socket, "unexpected-response").then(([, answer]: IncomingMessage[]) => [
      answer?.statusCode,
      Number(answer?.headers["retry-after"]) > 0,
    ]);
    expect(await Promise.race([opened, refused])).toEqual(readsWork ? "opened" : [503, true]);
    sockets.close();
    socket.on("error", () => {}).terminate();
    server.close();
  });

  test("a member whose session is due for an extension can still read", async () => {
    world.clock.advance(2 * 24 * 60 * 60_000);
    expect((await web.request("/all-posts", { headers: { cookie } })).status).toBe(readsWork ? 200 : 503);
  });
});

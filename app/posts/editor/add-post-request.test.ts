import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDraft, newCopyId } from "#domain/drafts/draft.ts";
import { listUnfinished } from "#domain/drafts/draft-reads.server.ts";
import { saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import type { Member } from "#domain/site.ts";
import { picture } from "../../../tests/support/pictures.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** Posts the form as a browser without JavaScript does. */
async function post(
  fields: Record<string, string>,
  upload = picture(),
  who: Member | null = world.maren,
  path = "/add-post",
): Promise<Response> {
  const cookie = who ? (await signIn(world, who)).cookie : "";
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: "Long", slug: "long", content: "", status: "active", ...fields }))
    form.set(name, value);
  const { name, bytes } = await upload;
  form.set("featuredImage", new File([new Uint8Array(bytes)], name));
  // As bytes: a FormData body that is still being serialized when the server answers would fail outside of the test.
  const sent = new Response(form);
  const type = sent.headers.get("content-type") ?? "";
  const headers = { cookie, origin: "http://inkstead.test", "content-type": type };
  return openWeb(world).request(path, { method: "POST", body: await sent.arrayBuffer(), headers });
}

const posts = () => world.site.db.selectFrom("posts").select("id").execute();

test("a text of 2 MB is refused and returned completely, and nothing is stored", async () => {
  const content = "nine more words stand here, and then a new line.\n".repeat(42_000);
  const answer = await post({ content });
  expect(answer.status).toBe(422);
  const html = await answer.text();
  expect(html).toContain("Content cannot exceed 500,000 characters");
  expect(html.includes(content)).toBe(true);
  expect(await posts()).toEqual([]);
});

test("a form that is too large is refused before it is read", async () => {
  const answer = await post({}, Promise.resolve({ name: "huge.png", bytes: Buffer.alloc(33 * 1024 * 1024) }));
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain("larger than 32 MB");
  expect(await posts()).toEqual([]);
});

test("a story sent after the session ended is returned for another try", async () => {
  const content = 'The <last> bus & "its" driver';
  const answer = await post({ title: "Night Bus", slug: "night-bus", content }, picture(), null);
  expect(answer.status).toBe(401);
  const page = await answer.text();
  expect(page).toContain("You’re signed out");
  expect(page).toMatch(/<form [^>]*action="\/add-post"/);
  expect(page).toMatch(/<textarea[^>]*name="title"[^>]*>Night Bus<\/textarea>/);
  expect(page).toContain("The &lt;last&gt; bus &amp; &quot;its&quot; driver</textarea>");
  expect(page).toContain("You’ll need to choose your files again");
  expect(page).toMatch(/<a [^>]*href="\/login"[^>]*target="_blank"|<a [^>]*target="_blank"[^>]*href="\/login"/);
  expect(await posts()).toEqual([]);
});

test("a story of a page that was opened by another member is returned and not published under the current one's name", async () => {
  const own = { userId: world.maren.id, content: "Only under my own name." };
  const answer = await post(own, picture(), world.ruth);
  expect(answer.status).toBe(403);
  const page = await answer.text();
  expect(page).toContain("Failed to create post: You’re signed in with another account");
  expect(page).toContain("Only under my own name.</textarea>");
  expect(await posts()).toEqual([]);
  expect((await post(own)).status).toBe(302);
  expect(await posts()).toHaveLength(1);
});

test("a refused form keeps its own draft when another one was begun meanwhile, which stays", async () => {
  const save = (id: string, content: string) =>
    saveWorkingCopy(world.site, world.maren, {
      ...{ id, userId: world.maren.id, postId: null, postVersion: null, base: null, writer: "page-one", count: 1 },
      draft: { ...emptyDraft, title: content, content },
    });
  const [mine, other] = [newCopyId(), newCopyId()];
  const { revision } = await save(mine, "This form’s.");
  world.clock.advance(1_000);
  await save(other, "Begun on the phone.");
  const fields = { draftId: mine, draftBase: String(revision), userId: world.maren.id, content: "This form’s, and more." };
  const refused = await (await post({ ...fields, title: "" })).text();
  const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(refused)?.[1];
  expect([fieldOf("draftId"), fieldOf("draftBase")]).toEqual([mine, String(revision)]);
  expect((await post(fields)).status).toBe(302);
  expect((await listUnfinished(world.site, world.maren)).map(({ beginning }) => beginning)).toEqual(["Begun on the phone."]);
});

test("so are an appeal, whose page leads visitors to the login screen, and a message of one word, but no form in which nothing was written", async () => {
  const send = (path: string, fields: Record<string, string>) => openWeb(world).request(path, formPost(fields));
  const appeal = await send("/notices/some-notice", { text: "It was my own photograph." });
  expect(appeal.status).toBe(401);
  expect(await appeal.text()).toContain("It was my own photograph.</textarea>");
  const message = await send(`/messages/${world.tobias.id}`, { text: "Yes", sendId: "one", from: world.maren.id });
  expect(message.status).toBe(401);
  expect(await message.text()).toContain("Yes</textarea>");
  const follow = await send(`/profile/${world.tobias.id}/follow`, { follow: "yes" });
  expect([follow.status, follow.headers.get("location")]).toEqual([302, "/login"]);
});

test("a form from another site is refused", async () => {
  const { cookie } = await signIn(world, world.maren);
  const body = new URLSearchParams({ title: "A", slug: "a" });
  const answer = await openWeb(world).request("/add-post", { method: "POST", body, headers: { cookie, origin: "https://evil.example" } });
  expect(answer.status).toBe(403);
  expect(await posts()).toEqual([]);
});

test("the form of someone else’s story has no status, and doesn’t change it", async () => {
  await post({});
  const { cookie } = await signIn(world, world.ruth);
  const form = await (await openWeb(world).request("/edit-post/long", { headers: { cookie } })).text();
  expect(form).not.toContain("Not published");
  expect(form).not.toContain(" discover=");
  const answer = await post({ version: "1", content: "Ruth’s.", status: "inactive" }, picture(), world.ruth, "/edit-post/long");
  expect(answer.status).toBe(302);
  const stored = world.site.db.selectFrom("posts").select(["status", "markdown"]).executeTakeFirst();
  expect(await stored).toEqual({ status: "active", markdown: "Ruth’s." });
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { loadNewPost } from "#app/posts/editor/editor-data.server.ts";
import { copyIdOf, emptyDraft, newCopyId } from "#domain/drafts/draft.ts";
import { readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import type { Upload } from "#domain/files/files.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import type { Member } from "#domain/site.ts";
import { picture } from "../../tests/support/pictures.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { addMember, openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

async function save(who: Member, id: string, content: string, postId: string | null = null): Promise<number> {
  return (await sendDraft(who, id, content, postId)).status;
}

async function sendDraft(who: Member, id: string, content: string, postId: string | null = null): Promise<Response> {
  const { cookie } = await signIn(world, who);
  const draft = { ...emptyDraft, title: "Soup", content };
  const body = new FormData();
  const origin = { base: null, writer: "page-of-theirs", count: 1 };
  body.set("save", JSON.stringify({ id, userId: who.id, postId, postVersion: postId ? 1 : null, ...origin, draft }));
  const headers = { cookie, origin: "http://inkstead.test" };
  return openWeb(world).request("/drafts/save", { method: "POST", body, headers });
}

test("a member can't use the id of another member's working copy", async () => {
  const { site, maren, tobias } = world;
  const dotted = await addMember(world, "Dotted", { id: "a.b" });
  const short = await addMember(world, "Short", { id: "a" });
  const loud = await addMember(world, "Loud", { id: "Loud_One" });
  for (const who of [maren, dotted, loud])
    await createPost(
      site,
      who,
      { title: "Soup", slug: `soup-of-${who.id.replaceAll(/\W|_/g, "-").toLowerCase()}`, content: "Once.", status: "active" },
      await picture(),
    );
  const [marens, dotteds, louds] = [`soup-of-${maren.id}`, "soup-of-a-b", "soup-of-loud-one"];
  expect(await save(tobias, copyIdOf(maren.id, marens), "Mine now.")).toBe(404);
  expect(await save(short, copyIdOf(dotted.id, dotteds), "Mine now.")).toBe(404);
  expect(await save(tobias, `${tobias.id}.x.${marens}`, "Mine now.")).toBe(404);
  expect(await save(tobias, "any-name-that-comes-to-mind", "Mine now.")).toBe(404);
  expect(await save(maren, copyIdOf(maren.id, marens), "Twice.", marens)).toBe(200);
  expect(await save(dotted, copyIdOf(dotted.id, dotteds), "Twice.", dotteds)).toBe(200);
  expect(await save(loud, copyIdOf(loud.id, louds), "Twice.", louds)).toBe(200);
  expect((await readWorkingCopy(site, maren, copyIdOf(maren.id, marens))).content).toBe("Twice.");
});

test("says that a delayed save is in a story already", async () => {
  const { site, maren } = world;
  const draft = { id: newCopyId(), base: null, writer: "page-of-theirs", count: 1 };
  await createPost(site, maren, { title: "Soup", slug: "soup", content: "Once.", status: "active" }, await picture(), { draftBase: draft });
  const answer = await sendDraft(maren, draft.id, "Once.");
  expect([answer.status, await answer.json()]).toEqual([409, { kind: "finished" }]);
});

test("a new story at the address of another member's draft is saved as a draft of its own", async () => {
  const id = newCopyId();
  expect(await save(world.maren, id, "Maren's.")).toBe(200);
  const { copy, draftId } = await loadNewPost(world.site, world.tobias, new URLSearchParams({ draft: id }));
  expect(copy).toBeNull();
  expect(await save(world.tobias, draftId, "By Tobias.")).toBe(200);
  expect((await readWorkingCopy(world.site, world.tobias, draftId)).content).toBe("By Tobias.");
  expect((await readWorkingCopy(world.site, world.maren, id)).content).toBe("Maren's.");
});

async function sendPicture(userId: string, { name, bytes }: Upload): Promise<Response> {
  const { cookie } = await signIn(world, world.ruth);
  const form = new FormData();
  form.set("userId", userId);
  form.set("kind", "text");
  form.set("picture", new File([new Uint8Array(bytes)], name));
  const sent = new Response(form);
  const headers = { cookie, origin: "http://inkstead.test", "content-type": sent.headers.get("content-type") ?? "" };
  return openWeb(world).request("/drafts/picture", { method: "POST", body: await sent.arrayBuffer(), headers });
}

test("a picture for the page of another member is not stored among the current one's", async () => {
  const refused = await sendPicture(world.maren.id, await picture());
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { id: null, name: "", error: "You’re signed in with another account", isInvalid: false },
  ]);
  expect(await world.site.db.selectFrom("files").select("id").execute()).toEqual([]);
  expect((await sendPicture(world.ruth.id, await picture())).status).toBe(200);
});

test("a refused picture is told from one that couldn't be stored", async () => {
  const text = { name: "holiday.png", bytes: Buffer.from("not a picture at all") };
  const refused = await sendPicture(world.ruth.id, text);
  expect([refused.status, await refused.json()]).toMatchObject([422, { error: "Please select a valid image file", isInvalid: true }]);
  world.site.files.put = () => Promise.reject(new Error("the disk is full"));
  const failed = await sendPicture(world.ruth.id, await picture());
  expect([failed.status, await failed.json()]).toMatchObject([503, { isInvalid: false }]);
});

test("discarding the changes of a story says that the story stays, with and without JavaScript", async () => {
  const { site, maren } = world;
  await createPost(site, maren, { title: "Soup", slug: "soup", content: "Once.", status: "active" }, await picture());
  const { cookie } = await signIn(world, maren);
  const id = copyIdOf(maren.id, "soup");
  expect(await save(maren, id, "Twice.", "soup")).toBe(200);
  const discard = (fields: Record<string, string>) => openWeb(world).request(`/drafts/${id}/discard`, formPost(fields, { cookie }));
  const drafts = await (await openWeb(world).request("/profile?tab=drafts", { headers: { cookie } })).text();
  expect(drafts).toContain("Unpublished changes");
  expect(await (await discard({})).text()).toContain("The story won’t change.");
  const answer = await discard({ confirmed: "yes" });
  expect(decodeURIComponent(answer.headers.get("set-cookie") ?? "")).toContain("Changes discarded");
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { findPartner } from "#domain/messages/chat.server.ts";
import { listConversations } from "#domain/messages/conversations.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { findPeople } from "#domain/messages/people.server.ts";
import { appeal } from "#domain/moderation/appeals.server.ts";
import { listNotices } from "#domain/moderation/notices.server.ts";
import { removeEndedSuspensions, suspendMember } from "#domain/moderation/suspensions.server.ts";
import { listNotifications } from "#domain/notification-channels/list.server.ts";
import { readMemberPage } from "#domain/pages/member-page.server.ts";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { deletePost } from "#domain/posts/posts.server.ts";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { listFeaturedWriters } from "#domain/profiles/featured-writers.server.ts";
import { changeProfile } from "#domain/profiles/profiles.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import type { Viewer } from "#domain/site.ts";
import { findViewer } from "#server/session/session.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

const day = 24 * 60 * 60 * 1000;

let world: World;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  ({ cookie } = await signIn(world, world.maren));
  for (const id of ["moor", "sea"]) await addPost(world, world.maren, { id, status: "inactive" });
  await addPost(world, world.tobias, { id: "bus" });
  await suspendMember(world.site, world.ruth, world.maren.id, { days: 3, reason: "Insults" });
});
afterEach(() => world.close());

const maren = () => findViewer(world.site, cookie);

test("a suspended member's existing session is restricted to reading", async () => {
  const { site, tobias } = world;
  const viewer = await maren();
  const until = { code: "not-allowed", message: expect.stringContaining("Your account is suspended until") };
  const writes: ((viewer: Viewer) => Promise<unknown>)[] = [
    (viewer) => setPostStatus(site, viewer, "moor", "active"),
    (viewer) => sendMessage(site, viewer, { to: tobias.id, text: "Hello", sendId: "1" }),
    (viewer) => setLike(site, viewer, "bus", true),
  ];
  for (const write of writes) await expect(write(viewer)).rejects.toMatchObject(until);
});

test("they can export their data, read the reason, and appeal", async () => {
  const { site } = world;
  const viewer = await maren();
  await deletePost(site, viewer, "sea");
  const [notice] = await listNotices(site, viewer);
  expect(notice).toMatchObject({ kind: "suspend", reason: "Insults" });
  await appeal(site, viewer, notice?.id ?? "", "It was a quotation.");
});

test("their profile is User Not Found to others", async () => {
  const { site, maren: member, tobias, ruth } = world;
  await expect(readMemberPage(site, tobias, member.id)).rejects.toMatchObject({ message: "User Not Found" });
  await expect(readMemberPage(site, null, member.id)).rejects.toMatchObject({ message: "User Not Found" });
  for (const viewer of [await maren(), ruth]) expect((await readMemberPage(site, viewer, member.id)).profile.id).toBe(member.id);
});

test("nobody reads about them under their stories or among the featured writers, until it ends", async () => {
  const { site, maren } = world;
  await addPost(world, maren, { id: "loch", views: 9 });
  const shown = async () => {
    const writers = await listFeaturedWriters(site, 9);
    return [(await readPost(site, null, "loch")).author !== null, writers.some(({ id }) => id === maren.id)];
  };
  expect(await shown()).toEqual([false, false]);
  world.clock.advance(3 * day);
  expect(await shown()).toEqual([true, true]);
});

test("their partners see their name, but neither location nor picture, until it ends", async () => {
  const { site, maren, tobias } = world;
  await changeProfile(site, maren, { location: "Leith" }, await picture());
  await sendMessage(site, maren, { to: tobias.id, text: "Hello", sendId: "1" });
  const seen = async () => {
    const { location, ...partner } = await findPartner(site, tobias, maren.id);
    const { conversations } = await listConversations(site, tobias);
    const { partners } = await findPeople(site, tobias, "Maren");
    const [entry] = (await listNotifications(site, tobias, { kind: "message", limit: 1 })).entries;
    const found = [partner, conversations[0]?.partner, partners[0], entry?.kind === "message" ? entry.partner : undefined];
    return { location, people: found.map((person) => [person?.name, person?.profileImage !== null]) };
  };
  const everywhere = (hasPicture: boolean) => Array(4).fill([maren.name, hasPicture]);
  expect(await seen()).toEqual({ location: "", people: everywhere(false) });
  world.clock.advance(3 * day);
  expect(await seen()).toEqual({ location: "Leith", people: everywhere(true) });
});

test("it ends by itself, with or without its row", async () => {
  world.clock.advance(3 * day);
  await setPostStatus(world.site, await maren(), "moor", "active");
  expect((await readMemberPage(world.site, world.tobias, world.maren.id)).profile.id).toBe(world.maren.id);
  await removeEndedSuspensions(world.site);
  expect(await world.site.db.selectFrom("suspensions").selectAll().execute()).toEqual([]);
});

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import type { Viewer } from "../site.ts";
import { maxAdditions, noteMaxLength } from "./report.ts";
import { ReportInput } from "./report-input.ts";
import { countReports, listReports } from "./report-reads.server.ts";
import { report, setReportStatus } from "./reports.server.ts";

let world: World;
let postId: string;
let messageId: string;
beforeEach(async () => {
  world = await openWorld();
  const { site, maren, tobias } = world;
  const story = { title: "Buy my lamps", slug: "lamps", content: "", status: "active" } as const;
  postId = (await createPost(site, maren, story, await picture("a.jpg", 60, 30))).id;
  messageId = await sendMessage(site, maren, { to: tobias.id, text: "You had better stop writing.", sendId: "1" });
});
afterEach(() => world.close());

const said = { reason: "spam", note: "Third one this week" } as const;
const all = async () => (await listReports(world.site, world.ruth, { status: "all", limit: 50 })).reports;

test("a story, a profile and a message can be reported, each with what was to be seen", async () => {
  const { site, tobias, maren } = world;
  await report(site, tobias, { kind: "post", subjectId: postId, ...said });
  await report(site, tobias, { kind: "profile", subjectId: maren.id, ...said });
  await report(site, tobias, { kind: "message", subjectId: messageId, ...said });
  const whose = { ownerId: maren.id, ownerName: maren.name, reporterId: tobias.id, reporterName: tobias.name, status: "pending", ...said };
  expect(await all()).toMatchObject([
    { kind: "message", subjectId: messageId, excerpt: "You had better stop writing.", ...whose },
    { kind: "profile", subjectId: maren.id, excerpt: maren.name, ...whose },
    { kind: "post", subjectId: postId, excerpt: "Buy my lamps", ...whose },
  ]);
});

test("a second report of the same thing is added to the first, with both reasons and times; the same again is the same", async () => {
  const { site, tobias, ruth, clock } = world;
  const about = { kind: "post", subjectId: postId } as const;
  const first = site.now();
  await Promise.all([1, 2, 3].map(() => report(site, tobias, { ...about, ...said })));
  clock.advance(60_000);
  expect(await report(site, tobias, { ...about, reason: "copyright", note: "It is mine" })).toEqual({ added: true });
  expect(await report(site, tobias, { ...about, reason: "copyright", note: "It is mine" })).toEqual({ added: false });
  const again = { reason: "copyright", note: "It is mine", at: first + 60_000 };
  expect(await all()).toMatchObject([{ ...said, createdAt: first, updatedAt: first + 60_000, additions: [again] }]);
  await report(site, ruth, { ...about, ...said });
  expect(await countReports(site, ruth)).toEqual({ all: 2, pending: 2, resolved: 0, dismissed: 0 });
});

test("two different additions at the same moment are both kept, and twenty are enough", async () => {
  const { site, tobias } = world;
  const about = { kind: "post", subjectId: postId } as const;
  await report(site, tobias, { ...about, ...said });
  await Promise.all(["one", "two"].map((note) => report(site, tobias, { ...about, reason: "other", note })));
  expect((await all())[0]?.additions.map(({ note }) => note).sort()).toEqual(["one", "two"]);
  for (let more = 3; more <= maxAdditions; more++) await report(site, tobias, { ...about, reason: "other", note: String(more) });
  await expect(report(site, tobias, { ...about, reason: "other", note: "again" })).rejects.toMatchObject({ code: "too-many" });
  expect((await all())[0]?.additions).toHaveLength(maxAdditions);
});

test("what was settled can be reported anew", async () => {
  const { site, tobias, ruth } = world;
  const about = { kind: "post", subjectId: postId, ...said } as const;
  await report(site, tobias, about);
  const [first] = await all();
  await setReportStatus(site, ruth, first?.id ?? "", "dismissed");
  await setReportStatus(site, ruth, first?.id ?? "", "dismissed");
  await report(site, tobias, about);
  expect(await countReports(site, ruth)).toEqual({ all: 2, pending: 1, resolved: 0, dismissed: 1 });
  expect((await listReports(site, ruth, { status: "dismissed", limit: 5 })).reports.map(({ id }) => id)).toEqual([first?.id]);
});

test("a report outlives what it is about", async () => {
  const { site, tobias, maren } = world;
  await report(site, tobias, { kind: "post", subjectId: postId, ...said });
  await deletePost(site, maren, postId);
  await site.db.deleteFrom("users").where("id", "in", [maren.id, tobias.id]).execute();
  expect(await all()).toMatchObject([{ excerpt: "Buy my lamps", ownerId: null, ownerName: null, reporterName: null }]);
});

test("a long message is kept in part", async () => {
  const { site, tobias, maren } = world;
  const id = await sendMessage(site, maren, { to: tobias.id, text: "🔥".repeat(2000), sendId: "2" });
  await report(site, tobias, { kind: "message", subjectId: id, ...said });
  expect((await all())[0]?.excerpt).toBe("🔥".repeat(500));
});

describe("who may", () => {
  const cases: [string, () => Viewer, "post" | "profile" | "message", string | undefined][] = [
    ["a visitor is asked to log in", () => null, "post", "sign-in-first"],
    ["somebody unconfirmed is told what is missing", () => world.salma, "post", "not-allowed"],
    ["nobody reports their own story", () => world.maren, "post", "not-allowed"],
    ["nobody reports their own profile", () => world.maren, "profile", "not-allowed"],
    ["nobody reports their own message", () => world.maren, "message", "not-allowed"],
    ["its receiver reports a message", () => world.tobias, "message", undefined],
    ["an administrator may, as they can read it", () => world.ruth, "message", undefined],
    ["for somebody unconfirmed a message of others does not exist", () => world.salma, "message", "not-found"],
    ["a visitor learns nothing about a message", () => null, "message", "sign-in-first"],
  ];
  test.each(cases)("%s", async (_says, viewer, kind, code) => {
    const subjectId = { post: postId, profile: world.maren.id, message: messageId }[kind];
    const answer = await report(world.site, viewer(), { kind, subjectId, ...said }).catch((error) => error);
    expect(answer?.code).toBe(code);
    expect(await all()).toHaveLength(code ? 0 : 1);
  });

  test("a message of others, a draft of somebody else and what isn't there do not exist", async () => {
    const { site } = world;
    const una = await addMember(world, "Una Stranger");
    await site.db.updateTable("posts").set({ status: "inactive" }).execute();
    for (const [kind, subjectId] of [
      ["message", messageId],
      ["post", postId],
      ["profile", "nobody"],
    ] as const)
      await expect(report(site, una, { kind, subjectId, ...said })).rejects.toMatchObject({ code: "not-found" });
  });

  test("thirty in an hour are enough", async () => {
    const { site, tobias, maren } = world;
    const about = { kind: "profile", subjectId: maren.id, ...said } as const;
    for (let sent = 0; sent < 30; sent++) await report(site, tobias, about);
    await expect(report(site, tobias, about)).rejects.toMatchObject({ code: "too-many" });
  });

  test("only administrators see and settle reports", async () => {
    const { site, tobias } = world;
    await expect(listReports(site, tobias, { status: "all", limit: 5 })).rejects.toMatchObject({ code: "not-allowed" });
    await expect(countReports(site, tobias)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(setReportStatus(site, tobias, "x", "resolved")).rejects.toMatchObject({ code: "not-allowed" });
    await expect(setReportStatus(site, world.ruth, "x", "resolved")).rejects.toMatchObject({ code: "not-found" });
  });
});

test("the queue pages by status, newest first, each report once", async () => {
  const { site, ruth } = world;
  const ids: string[] = [];
  for (const name of ["Ann", "Ben", "Cid", "Dee", "Eve"]) {
    const person = await addMember(world, name);
    await report(site, ruth, { kind: "profile", subjectId: person.id, ...said });
    ids.unshift(person.id);
  }
  const settled = (await all()).find(({ subjectId }) => subjectId === ids[2]);
  await setReportStatus(site, ruth, settled?.id ?? "", "resolved");
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await listReports(site, ruth, { status: "pending", limit: 2, after });
    seen.push(...page.reports.map(({ subjectId }) => subjectId));
    after = page.next;
  } while (after);
  expect(seen).toEqual(ids.filter((id) => id !== ids[2]));
  expect((await listReports(site, ruth, { status: "all", limit: 50, after: "not a cursor" })).reports).toHaveLength(5);

  // Of all of them, those that wait come first.
  const both: string[] = [];
  do {
    const page = await listReports(site, ruth, { status: "all", limit: 2, after });
    both.push(...page.reports.map(({ subjectId }) => subjectId));
    after = page.next;
  } while (after);
  expect(both).toEqual([...seen, ids[2]]);
});

test("administrators hear of a report, and of one that is settled", async () => {
  const heard: string[] = [];
  world.site.events.subscribe("reports", (event) => heard.push(event.type));
  await report(world.site, world.tobias, { kind: "post", subjectId: postId, ...said });
  await report(world.site, world.tobias, { kind: "post", subjectId: postId, ...said });
  await setReportStatus(world.site, world.ruth, (await all())[0]?.id ?? "", "resolved");
  await expect.poll(() => heard).toEqual(["report.created", "report.changed"]);
});

describe("what the form sends", () => {
  const input = { kind: "post", subjectId: "a", reason: "spam", note: "" };
  const mistakes = (typed: object) => ReportInput.safeParse({ ...input, ...typed }).error?.issues.map(({ message }) => message);

  test("a reason is needed, and for something else a word about it", () => {
    expect(mistakes({ reason: undefined })).toEqual(["Choose a reason"]);
    expect(mistakes({ reason: "dull" })).toEqual(["Choose a reason"]);
    expect(mistakes({ reason: "other", note: "  " })).toEqual(["Tell us briefly what’s wrong"]);
    expect(mistakes({ reason: "other", note: "It is upside down" })).toBeUndefined();
  });

  test("the note has a limit, line breaks counting once", () => {
    expect(mistakes({ note: "a".repeat(noteMaxLength) })).toBeUndefined();
    expect(mistakes({ note: "a\r\n".repeat(noteMaxLength / 2) })).toBeUndefined();
    expect(mistakes({ note: "a".repeat(noteMaxLength + 1) })).toEqual(["The note cannot exceed 1,000 characters"]);
  });

  test("nothing else passes for a kind", () => {
    fc.assert(
      fc.property(
        fc.string(),
        (kind) => ReportInput.safeParse({ ...input, kind }).success === ["post", "profile", "message"].includes(kind),
      ),
    );
  });
});

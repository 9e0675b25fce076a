import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../../tests/support/pictures.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import { transaction, type Viewer } from "../site.ts";
import { maxAdditions, noteMaxLength } from "./report.ts";
import { ReportInput } from "./report-input.ts";
import { countReports, listReports } from "./report-reads.server.ts";
import { createRuleReport, report, setReportStatus } from "./reports.server.ts";

let world: World;
let postId: string;
let messageId: string;
beforeEach(async () => {
  world = await openWorld();
  const { site, maren, tobias } = world;
  const post = { title: "Buy my lamps", slug: "lamps", content: "", status: "active" } as const;
  postId = (await createPost(site, maren, post, await picture())).id;
  messageId = (await sendMessage(site, maren, { to: tobias.id, text: "You had better stop writing.", sendId: "1" })).id;
});
afterEach(() => world.close());

const reportInput = { reason: "spam", note: "Third one this week" } as const;
const all = async () => (await listReports(world.site, world.ruth, { status: "all", limit: 50 })).reports;

test("a story, a profile and a message can be reported, with an excerpt", async () => {
  const { site, tobias, maren } = world;
  await report(site, tobias, { kind: "post", subjectId: postId, ...reportInput });
  await report(site, tobias, { kind: "profile", subjectId: maren.id, ...reportInput });
  await report(site, tobias, { kind: "message", subjectId: messageId, ...reportInput });
  const whose = {
    ownerId: maren.id,
    ownerName: maren.name,
    reporterId: tobias.id,
    reporterName: tobias.name,
    status: "pending",
    ...reportInput,
  };
  expect(await all()).toMatchObject([
    { kind: "message", subjectId: messageId, excerpt: "You had better stop writing.", ...whose },
    { kind: "profile", subjectId: maren.id, excerpt: maren.name, ...whose },
    { kind: "post", subjectId: postId, excerpt: "Buy my lamps", ...whose },
  ]);
});

test("a second report is added to the first; repeating it changes nothing", async () => {
  const { site, tobias, ruth, clock } = world;
  const about = { kind: "post", subjectId: postId } as const;
  const first = site.now();
  await Promise.all([1, 2, 3].map(() => report(site, tobias, { ...about, ...reportInput })));
  clock.advance(60_000);
  expect(await report(site, tobias, { ...about, reason: "copyright", note: "It is mine" })).toEqual({ added: true });
  expect(await report(site, tobias, { ...about, reason: "copyright", note: "It is mine" })).toEqual({ added: false });
  const again = { reason: "copyright", note: "It is mine", at: first + 60_000 };
  expect(await all()).toMatchObject([{ ...reportInput, createdAt: first, updatedAt: first + 60_000, additions: [again] }]);
  await report(site, ruth, { ...about, ...reportInput });
  expect(await countReports(site, ruth)).toEqual({ all: 2, pending: 2, resolved: 0, dismissed: 0 });
});

test("concurrent additions are both kept, up to twenty", async () => {
  const { site, tobias } = world;
  const about = { kind: "post", subjectId: postId } as const;
  await report(site, tobias, { ...about, ...reportInput });
  await Promise.all(["one", "two"].map((note) => report(site, tobias, { ...about, reason: "other", note })));
  expect((await all())[0]?.additions.map(({ note }) => note).sort()).toEqual(["one", "two"]);
  for (let more = 3; more <= maxAdditions; more++) await report(site, tobias, { ...about, reason: "other", note: String(more) });
  await expect(report(site, tobias, { ...about, reason: "other", note: "again" })).rejects.toMatchObject({ code: "too-many" });
  expect((await all())[0]?.additions).toHaveLength(maxAdditions);
});

test("settled things can be reported again", async () => {
  const { site, tobias, ruth } = world;
  const about = { kind: "post", subjectId: postId, ...reportInput } as const;
  await report(site, tobias, about);
  const [first] = await all();
  await setReportStatus(site, ruth, first?.id ?? "", "dismissed");
  await setReportStatus(site, ruth, first?.id ?? "", "dismissed");
  await report(site, tobias, about);
  expect(await countReports(site, ruth)).toEqual({ all: 2, pending: 1, resolved: 0, dismissed: 1 });
  expect((await listReports(site, ruth, { status: "dismissed", limit: 5 })).reports.map(({ id }) => id)).toEqual([first?.id]);
});

test("a settled report isn't reopened next to a newer one by the same member", async () => {
  const { site, tobias, ruth } = world;
  const about = { kind: "post", subjectId: postId, ...reportInput } as const;
  await report(site, tobias, about);
  const [first] = await all();
  await setReportStatus(site, ruth, first?.id ?? "", "dismissed");
  await report(site, tobias, about);
  await expect(setReportStatus(site, ruth, first?.id ?? "", "pending")).rejects.toMatchObject({
    code: "conflict",
    message: "There’s already an open report of this by the same member.",
  });
  expect(await countReports(site, ruth)).toEqual({ all: 2, pending: 1, resolved: 0, dismissed: 1 });
});

test("a report survives its subject", async () => {
  const { site, tobias, maren } = world;
  await report(site, tobias, { kind: "post", subjectId: postId, ...reportInput });
  await deletePost(site, maren, postId);
  await site.db.deleteFrom("users").where("id", "in", [maren.id, tobias.id]).execute();
  expect(await all()).toMatchObject([{ excerpt: "Buy my lamps", ownerId: null, ownerName: null, reporterName: null }]);
});

test("reports of an erased story are not about the next story with its address", async () => {
  const { site, tobias, maren, ruth } = world;
  const about = { kind: "post", subjectId: postId } as const;
  const ofRule = (userId: string) => transaction(site, (tx) => createRuleReport(tx, { id: postId, userId, title: "Lamps", note: "" }));
  await report(site, ruth, { ...about, ...reportInput });
  await ofRule(maren.id);
  await deletePost(site, maren, postId);
  await createPost(site, tobias, { title: "Lamps", slug: postId, content: "", status: "active" }, await picture());
  await ofRule(tobias.id);
  expect(await report(site, ruth, { ...about, reason: "copyright", note: "" })).toEqual({ added: false });
  expect((await all()).map(({ ownerId }) => ownerId)).toEqual([tobias.id, tobias.id, maren.id, maren.id]);
});

test("a long message is truncated", async () => {
  const { site, tobias, maren } = world;
  const id = (await sendMessage(site, maren, { to: tobias.id, text: "🔥".repeat(2000), sendId: "2" })).id;
  await report(site, tobias, { kind: "message", subjectId: id, ...reportInput });
  expect((await all())[0]?.excerpt).toBe("🔥".repeat(500));
});

describe("permissions", () => {
  const cases: [string, () => Viewer, "post" | "profile" | "message", string | undefined][] = [
    ["a visitor is asked to log in", () => null, "post", "sign-in-required"],
    ["an unconfirmed member gets NotAllowed", () => world.salma, "post", "not-allowed"],
    ["nobody reports their own story", () => world.maren, "post", "not-allowed"],
    ["nobody reports their own profile", () => world.maren, "profile", "not-allowed"],
    ["nobody reports their own message", () => world.maren, "message", "not-allowed"],
    ["its receiver reports a message", () => world.tobias, "message", undefined],
    ["an administrator may, as they can read it", () => world.ruth, "message", undefined],
    ["others' messages are not found for an unconfirmed member", () => world.salma, "message", "not-found"],
    ["a visitor learns nothing about a message", () => null, "message", "sign-in-required"],
  ];
  test.each(cases)("%s", async (_says, viewer, kind, code) => {
    const subjectId = { post: postId, profile: world.maren.id, message: messageId }[kind];
    const answer = await report(world.site, viewer(), { kind, subjectId, ...reportInput }).catch((error) => error);
    expect(answer?.code).toBe(code);
    expect(await all()).toHaveLength(code ? 0 : 1);
  });

  test("invisible things are not found", async () => {
    const { site } = world;
    const una = await addMember(world, "Una Stranger");
    await site.db.updateTable("posts").set({ status: "inactive" }).execute();
    for (const [kind, subjectId] of [
      ["message", messageId],
      ["post", postId],
      ["profile", "nobody"],
    ] as const)
      await expect(report(site, una, { kind, subjectId, ...reportInput })).rejects.toMatchObject({ code: "not-found" });
  });

  test("reports are limited to thirty an hour", async () => {
    const { site, tobias, maren } = world;
    const about = { kind: "profile", subjectId: maren.id, ...reportInput } as const;
    for (let sent = 0; sent < 30; sent++) await report(site, tobias, about);
    await expect(report(site, tobias, about)).rejects.toMatchObject({ code: "too-many" });
  });

  test("reading and settling reports requires the permission", async () => {
    const { site, tobias } = world;
    await expect(listReports(site, tobias, { status: "all", limit: 5 })).rejects.toMatchObject({ code: "not-allowed" });
    await expect(countReports(site, tobias)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(setReportStatus(site, tobias, "x", "resolved")).rejects.toMatchObject({ code: "not-allowed" });
    await expect(setReportStatus(site, world.ruth, "x", "resolved")).rejects.toMatchObject({ code: "not-found" });
  });
});

test("the queue is paged by status, newest first", async () => {
  const { site, ruth } = world;
  const ids: string[] = [];
  for (const name of ["Ann", "Ben", "Cid", "Dee", "Eve"]) {
    const person = await addMember(world, name);
    await report(site, ruth, { kind: "profile", subjectId: person.id, ...reportInput });
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

  // Pending reports come first.
  const both: string[] = [];
  do {
    const page = await listReports(site, ruth, { status: "all", limit: 2, after });
    both.push(...page.reports.map(({ subjectId }) => subjectId));
    after = page.next;
  } while (after);
  expect(both).toEqual([...seen, ids[2]]);
});

test("changes of reports are published to administrators", async () => {
  const received: string[] = [];
  world.site.events.subscribe("reports", (event) => received.push(event.type));
  await report(world.site, world.tobias, { kind: "post", subjectId: postId, ...reportInput });
  await report(world.site, world.tobias, { kind: "post", subjectId: postId, ...reportInput });
  await setReportStatus(world.site, world.ruth, (await all())[0]?.id ?? "", "resolved");
  await expect.poll(() => received).toEqual(["report.created", "report.changed"]);
});

describe("the form", () => {
  const input = { kind: "post", subjectId: "a", reason: "spam", note: "" };
  const mistakes = (typed: object) => ReportInput.safeParse({ ...input, ...typed }).error?.issues.map(({ message }) => message);

  test("requires a reason, and a note for Something else", () => {
    expect(mistakes({ reason: undefined })).toEqual(["Choose a reason"]);
    expect(mistakes({ reason: "dull" })).toEqual(["Choose a reason"]);
    expect(mistakes({ reason: "other", note: "  " })).toEqual(["Tell us briefly what’s wrong"]);
    expect(mistakes({ reason: "other", note: "It is upside down" })).toBeUndefined();
  });

  test("limits the note, counting a line break once", () => {
    expect(mistakes({ note: "a".repeat(noteMaxLength) })).toBeUndefined();
    expect(mistakes({ note: "a\r\n".repeat(noteMaxLength / 2) })).toBeUndefined();
    expect(mistakes({ note: "a".repeat(noteMaxLength + 1) })).toEqual(["The note cannot exceed 1,000 characters"]);
  });

  test("rejects other kinds", () => {
    fc.assert(
      fc.property(
        fc.string(),
        (kind) => ReportInput.safeParse({ ...input, kind }).success === ["post", "profile", "message"].includes(kind),
      ),
    );
  });
});

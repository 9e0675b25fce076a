import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { days, hours } from "#platform/time.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { confirmationToken, confirmEmail } from "../accounts/confirmation.server.ts";
import { requestRecovery, resetPassword } from "../accounts/recovery.server.ts";
import { saveSettings } from "../settings/settings.server.ts";
import { transaction } from "../site.ts";
import { dueAt, weekOf } from "./issue.ts";
import { changeSchedule, editIssue, listIssues, readNextIssue } from "./issues.server.ts";
import { readOwnSubscription, setOwnSubscription } from "./member-subscription.server.ts";
import { pickPosts } from "./picks.server.ts";
import { sendNewsletterWhenDue } from "./sending.server.ts";
import { exportSubscribers, importSubscribers } from "./subscriber-files.server.ts";
import { confirmSubscription, unsubscribe } from "./subscribers.server.ts";

let world: World;
let week: number;
beforeEach(async () => {
  world = await openWorld();
  week = weekOf(world.site.now()) + 1;
  world.clock.set(dueAt(week, world.site.settings) - hours(1));
});
afterEach(() => world.close());

const readers = (count: number) => Array.from({ length: count }, (_, index) => `reader-${index}@example.com,2026-01-02`).join("\n");
const importCsv = (csv: string) => importSubscribers(world.site, world.ruth, csv);
const advanceToDueTime = () => world.clock.set(dueAt(week, world.site.settings));
const publish = (id: string, row = {}) => addPost(world, world.maren, { id, createdAt: world.site.now() - hours(1), ...row });

describe("the week's newsletter", () => {
  test("is sent once, at its hour, by any process", async () => {
    await publish("night-bus", { title: "The *Night* Bus", views: 7 });
    await importCsv(readers(3));
    await sendNewsletterWhenDue(world.site);
    expect(world.emails).toEqual([]);
    advanceToDueTime();
    await Promise.all([sendNewsletterWhenDue(world.site), sendNewsletterWhenDue(world.site)]);
    await sendNewsletterWhenDue(world.site);
    await world.site.outbox.wake(world.site);
    expect(world.emails.map(({ to }) => to)).toEqual(["reader-0@example.com", "reader-1@example.com", "reader-2@example.com"]);
    expect(world.emails[0]?.subject).toBe("The *Night* Bus and more from Inkstead");
    expect(world.emails[0]?.text).toContain("The *Night* Bus\nhttp://inkstead.test/post/night-bus");
    expect(world.emails[0]?.html).toContain('<a href="http://inkstead.test/post/night-bus">The *Night* Bus</a>');
    expect(await listIssues(world.site, world.ruth)).toMatchObject([{ week, recipients: 3, sent: 3, failed: 0, unsubscribed: 0 }]);
  });

  test("contains its reader's token in the site's own links only", async () => {
    await publish("night-bus", { title: "evil.example/?SUBSCRIBER-TOKEN", views: 7 });
    await importCsv(readers(1));
    advanceToDueTime();
    await sendNewsletterWhenDue(world.site);
    await world.site.outbox.wake(world.site);
    const { text = "", html = "" } = world.emails[0] ?? {};
    const { token } = await world.site.db.selectFrom("subscribers").select("token").executeTakeFirstOrThrow();
    for (const part of [text, html])
      expect(
        part
          .split(token)
          .slice(0, -1)
          .map((before) => before.slice(-50)),
      ).toEqual([expect.stringMatching(/http:\/\/inkstead\.test\/unsubscribe\?token=$/)]);
  });

  test("has one-click unsubscribe headers, and unsubscribing is final", async () => {
    await publish("night-bus");
    await importCsv(readers(2));
    advanceToDueTime();
    await sendNewsletterWhenDue(world.site);
    await world.site.outbox.wake(world.site);
    const { headers = {}, text = "" } = world.emails[0] ?? {};
    expect(headers).toMatchObject({
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": expect.stringContaining("inkstead.test"),
    });
    const link = /^<(.*)>$/.exec(headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
    expect(text).toContain(link);
    const token = new URL(link).searchParams.get("token") ?? "";
    await unsubscribe(world.site, token, week);
    await unsubscribe(world.site, token, week);
    expect(await listIssues(world.site, world.ruth)).toMatchObject([{ unsubscribed: 1 }]);
    expect((await readNextIssue(world.site, world.ruth)).subscribers).toBe(1);
  });

  test("has the stories that were first published within the week, whenever they were begun", async () => {
    const now = world.site.now();
    await publish("long-written", { createdAt: now - days(60), publishedAt: now - hours(1), views: 5 });
    await publish("on-the-eighth-day", { createdAt: now - days(8), publishedAt: now - days(7) - hours(1), views: 90 });
    await publish("featured-late", { createdAt: now - days(60), publishedAt: now - hours(2), featured: true });
    const { mostRead, featured } = await pickPosts(world.site);
    expect([...mostRead, ...featured].map(({ id }) => id).toSorted()).toEqual(["featured-late", "long-written"]);
    expect(mostRead[0]?.id).toBe("long-written");
  });

  test("isn't sent without stories, when off or skipped, or a day late", async () => {
    await importCsv(readers(1));
    advanceToDueTime();
    await sendNewsletterWhenDue(world.site);
    const begins = async () => {
      week++;
      world.clock.set(dueAt(week, world.site.settings) - hours(1));
      await publish(`story-${week}`);
    };
    await begins();
    await saveSettings(world.site, world.ruth, { newsletterEnabled: false });
    advanceToDueTime();
    await sendNewsletterWhenDue(world.site);
    await saveSettings(world.site, world.ruth, { newsletterEnabled: true });
    await begins();
    await editIssue(world.site, world.ruth, { week, skip: true });
    advanceToDueTime();
    await sendNewsletterWhenDue(world.site);
    await begins();
    world.clock.set(dueAt(week, world.site.settings) + hours(24));
    await sendNewsletterWhenDue(world.site);
    await world.site.outbox.wake(world.site);
    expect(world.emails).toEqual([]);
  });

  test("that is due late on Sunday is still sent after midnight", async () => {
    await saveSettings(world.site, world.ruth, { newsletterDay: 6, newsletterHour: 23 });
    await publish("night-bus");
    await importCsv(readers(1));
    world.clock.set(dueAt(week, world.site.settings) + hours(20));
    expect((await readNextIssue(world.site, world.ruth)).issue.week).toBe(week);
    await sendNewsletterWhenDue(world.site);
    await world.site.outbox.wake(world.site);
    expect(world.emails).toHaveLength(1);
  });

  test("uses the edited subject and introduction, and is locked once it goes out", async () => {
    await publish("night-bus", { featured: true });
    await importCsv(readers(1));
    await editIssue(world.site, world.ruth, { week, subject: "  Buses\nat night ", introduction: "Dear **readers**," });
    const { preview } = await readNextIssue(world.site, world.ruth);
    expect(preview?.subject).toBe("Buses at night");
    advanceToDueTime();
    await sendNewsletterWhenDue(world.site);
    await world.site.outbox.wake(world.site);
    expect(world.emails[0]).toMatchObject({ subject: "Buses at night", text: expect.stringMatching(/^Dear readers,\n/) });
    await expect(editIssue(world.site, world.ruth, { week, skip: true })).rejects.toMatchObject({ code: "conflict" });
  });

  test("keeps its text and goes out when another day moves it to another week", async () => {
    const { site, ruth } = world;
    await importCsv(readers(1));
    await editIssue(site, ruth, { week, subject: "Buses at night", introduction: "" });
    const move = async (newsletterDay: number) => {
      await changeSchedule(site, ruth, { newsletterEnabled: true, newsletterDay, newsletterHour: 8 });
      return (await readNextIssue(site, ruth)).issue;
    };
    expect(await move(1)).toMatchObject({ week: week + 1, subject: "Buses at night" });
    expect(await move(6)).toMatchObject({ week, subject: "Buses at night" });
    week = (await move(1)).week;
    advanceToDueTime();
    await publish("night-bus");
    await sendNewsletterWhenDue(site);
    await site.outbox.wake(site);
    expect(world.emails.map(({ subject }) => subject)).toEqual(["Buses at night"]);
  });

  test("isn't replaced when someone else has changed it", async () => {
    const { site, ruth } = world;
    const seen = { subject: "", introduction: "" };
    const theirs = { subject: "Theirs", introduction: "Dear readers," };
    await editIssue(site, ruth, { week, ...theirs, seen });
    const mine = { week, subject: "Mine", introduction: "" };
    const conflict = { code: "conflict", details: { kind: "issue-changed", ...theirs } };
    await expect(editIssue(site, ruth, { ...mine, seen })).rejects.toMatchObject(conflict);
    // Sent again because its response was lost.
    await editIssue(site, ruth, { week, ...theirs, seen });
    expect((await readNextIssue(site, ruth)).issue).toMatchObject(theirs);
    await editIssue(site, ruth, { ...mine, seen: theirs });
    expect((await readNextIssue(site, ruth)).issue.subject).toBe("Mine");
  });

  test("isn't sent to someone who unsubscribed while it was being queued", async () => {
    await publish("night-bus");
    await importCsv(readers(2));
    advanceToDueTime();
    await sendNewsletterWhenDue({ ...world.site, outbox: { wake: () => {}, close: () => {} } });
    await world.site.db.deleteFrom("subscribers").where("email", "=", "reader-0@example.com").execute();
    await world.site.outbox.wake(world.site);
    expect(world.emails.map(({ to }) => to)).toEqual(["reader-1@example.com"]);
    expect(await world.site.db.selectFrom("outbox").select("address").execute()).toEqual([{ address: "reader-1@example.com" }]);
  });

  test("skips refused addresses and resumes after a crash", async () => {
    await publish("night-bus");
    await importCsv(readers(1_200));
    await transaction(world.site, async ({ db, now }) => {
      await db
        .insertInto("refused_addresses")
        .values({ address: "reader-7@example.com", problem: "no such mailbox", refusedAt: now() })
        .execute();
    });
    advanceToDueTime();
    let batches = 0;
    const dying = {
      ...world.site,
      outbox: {
        close: () => {},
        wake: () => {
          if (++batches === 2) dying.now = () => Number.NaN;
        },
      },
    };
    await sendNewsletterWhenDue(dying).catch(() => {});
    await sendNewsletterWhenDue({ ...world.site, outbox: { wake: () => {}, close: () => {} } });
    const rows = await world.site.db.selectFrom("outbox").select("address").where("kind", "=", "newsletter").execute();
    expect(new Set(rows.map(({ address }) => address)).size).toBe(1_199);
    expect(rows).toHaveLength(1_199);
  });
});

describe("a refused address gets the newsletter again", () => {
  const refuse = (address: string) =>
    world.site.db.insertInto("refused_addresses").values({ address, problem: "mailbox full", refusedAt: world.site.now() }).execute();
  async function recipients(): Promise<string[]> {
    await publish("night-bus");
    advanceToDueTime();
    await sendNewsletterWhenDue(world.site);
    const rows = await world.site.db.selectFrom("outbox").select("address").where("kind", "=", "newsletter").execute();
    return rows.map(({ address }) => address);
  }

  test("once it is confirmed again", async () => {
    await importCsv("hana@example.com,2026-01-02\nivo@example.com,2026-01-02");
    await Promise.all(["hana@example.com", "ivo@example.com"].map(refuse));
    const hana = await world.site.db.selectFrom("subscribers").select("token").orderBy("email").executeTakeFirstOrThrow();
    await confirmSubscription(world.site, { ...hana, code: "" });
    expect(await recipients()).toEqual(["hana@example.com"]);
  });

  test("once its owner subscribes in the account", async () => {
    await refuse(world.maren.email);
    await setOwnSubscription(world.site, world.maren, true);
    expect(await recipients()).toEqual([world.maren.email]);
  });

  test("once its owner confirms the account or recovers it", async () => {
    const { maren, salma, site } = world;
    await importCsv(`${maren.email},2026-01-02\n${salma.email},2026-01-02`);
    await Promise.all([maren.email, salma.email].map(refuse));
    await confirmEmail(site, await confirmationToken(site, salma));
    await requestRecovery(site, { ip: "192.0.2.7", userAgent: null }, maren.email);
    await expect.poll(() => world.emails.map(({ to }) => to)).toEqual([maren.email]);
    const [, token = ""] = /token=(\S+)/.exec(world.emails[0]?.text ?? "") ?? [];
    await resetPassword(site, { ip: "192.0.2.7", userAgent: null }, token, "a kettle on the stove");
    expect((await recipients()).toSorted()).toEqual([maren.email, salma.email].toSorted());
  });
});

describe("a member", () => {
  test("subscribes and unsubscribes in their account without an email", async () => {
    const { site, maren } = world;
    expect(await readOwnSubscription(site, maren)).toBe(false);
    await setOwnSubscription(site, maren, true);
    expect(await readOwnSubscription(site, maren)).toBe(true);
    expect(world.emails).toEqual([]);
    await setOwnSubscription(site, maren, false);
    expect(await readOwnSubscription(site, maren)).toBe(false);
  });

  test("needs a confirmed address", async () => {
    await expect(setOwnSubscription(world.site, world.salma, true)).rejects.toMatchObject({ code: "conflict" });
  });

  test("with someone else's address, not yet confirmed, neither sees nor ends its subscription", async () => {
    const { site, salma } = world;
    await importCsv(`${salma.email},2026-01-02`);
    expect(await readOwnSubscription(site, salma)).toBe(false);
    await setOwnSubscription(site, salma, false);
    const subscribers = await site.db.selectFrom("subscribers").select("email").execute();
    expect(subscribers).toEqual([{ email: salma.email }]);
  });
});

describe("subscribers", () => {
  test("are imported and exported with their date of consent", async () => {
    const csv = 'email,subscribed\r\n"Ana@Example.com",2026-01-02\r\nben@example.com,2026-02-03T04:05:06Z\r\n';
    expect(await importCsv(csv)).toEqual({ added: 2, known: 0, refused: 0 });
    expect(await importCsv("ana@example.com,2026-03-04")).toEqual({ added: 0, known: 1, refused: 0 });
    const file = await new Response(await exportSubscribers(world.site, world.ruth)).text();
    expect(file).toBe("email,subscribed\r\nana@example.com,2026-01-02T00:00:00.000Z\r\nben@example.com,2026-02-03T04:05:06.000Z\r\n");
  });

  test.each(["ana@example.com", "ana@example.com,soon", "ana@example.com,2999-01-01", "nobody,2026-01-01", ""])(
    "%j is rejected",
    async (csv) => {
      await expect(importCsv(csv)).rejects.toMatchObject({ code: "invalid", field: "csv" });
    },
  );

  test("can be imported and exported only with the permission", async () => {
    await expect(importSubscribers(world.site, world.maren, readers(1))).rejects.toMatchObject({ code: "not-allowed" });
    await expect(exportSubscribers(world.site, world.maren)).rejects.toMatchObject({ code: "not-allowed" });
  });
});

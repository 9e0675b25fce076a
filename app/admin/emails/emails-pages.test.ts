import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BackgroundOutbox } from "#domain/mail/outbox/outbox.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { dueAt, issueTexts, weekOf } from "#domain/newsletter/issue.ts";
import { sendNewsletterWhenDue } from "#domain/newsletter/sending.server.ts";
import type { Site } from "#domain/site.ts";
import { hours } from "#platform/time.ts";
import type { Web } from "#server/http.ts";
import { textOf } from "../../../tests/support/pages.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
let web: Hono<Web>;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ({ cookie } = await signIn(world, world.ruth, { reauthenticated: true }));
});
afterEach(() => world.close());

const htmlOf = async (path: string) => (await (await web.request(path, { headers: { cookie } })).text()).replaceAll("<!-- -->", "");
const shown = async (path: string) => textOf((await htmlOf(path)).replace(/<script[\s\S]*?<\/script>/g, ""));
const post = (path: string, fields: Record<string, string>) => web.request(path, formPost(fields, { cookie }));
const toastOf = (answer: Response) => decodeURIComponent(answer.headers.getSetCookie().join());

/** @returns the number of an email to this address that the mail server refused. */
async function fail(address: string): Promise<string> {
  const send = () => Promise.reject(Object.assign(new Error("550 no such mailbox"), { responseCode: 550, command: "RCPT TO" }));
  const site: Site = { ...world.site, outbox: new BackgroundOutbox(), mail: { delivers: true, send } };
  await sendEmailNow(site, { kind: "security", to: address, subject: "Hello", text: "a secret token" });
  await site.background.settled();
  const { number } = await world.site.db.selectFrom("outbox").select("number").where("address", "=", address).executeTakeFirstOrThrow();
  return String(number);
}

describe("the emails page", () => {
  const path = "/admin/emails";

  test("shows a failed email's recipient and reason, but not its content", async () => {
    await fail("ana@example.com");
    const page = await shown(path);
    expect(page).toContain("Account security Failed ana@example.com");
    expect(page).toContain("The mail server rejected this address.");
    expect(page).not.toContain("a secret token");
  });

  test("sends an email again, once", async () => {
    const number = await fail("ana@example.com");
    const sent = await post(path, { do: "again", number });
    expect([sent.headers.get("location"), toastOf(sent)]).toEqual([path, expect.stringContaining("The email will be sent again.")]);
    expect(world.emails.map(({ to }) => to)).toEqual(["ana@example.com"]);
    expect(await shown(path)).toContain("No failed emails");
    expect(await shown(`${path}?list=sent`)).toContain("ana@example.com");
    expect(toastOf(await post(path, { do: "again", number }))).toContain("This email has already been sent or discarded.");
    expect(world.emails).toHaveLength(1);
  });

  test("discards an email and stays on the list", async () => {
    const number = await fail("ana@example.com");
    const answer = await post(`${path}?list=failed`, { do: "discard", number });
    expect(answer.headers.get("location")).toBe(`${path}?list=failed`);
    expect(toastOf(answer)).toContain("The email won’t be sent.");
    expect(await shown(path)).toContain("No failed emails");
    expect(toastOf(await post(path, { do: "discard", number }))).toContain("This email has already been sent or discarded.");
  });

  test.each(["", "0", "1e3", "x".repeat(50)])("an invalid number changes nothing: %j", async (number) => {
    expect(toastOf(await post(path, { do: "again", number }))).toContain("This email has already been sent or discarded.");
  });

  test("sends a test to the viewer and shows the result", async () => {
    const answer = await post(path, { do: "test" });
    expect(answer.headers.get("location")).toBe(`${path}?list=sent`);
    expect(toastOf(answer)).toContain("Sent. If it isn’t in your inbox in a minute, check your spam folder.");
    expect(world.emails.map(({ to }) => to)).toEqual([world.ruth.email]);
  });

  test.each([
    [451, "?list=waiting"],
    [550, ""],
  ])("shows why a test failed, on the list that contains it: %i", async (responseCode, list) => {
    world.site.mail.send = () => Promise.reject(Object.assign(new Error("no"), { responseCode, command: "RCPT TO" }));
    const answer = await post(path, { do: "test" });
    expect(answer.headers.get("location")).toBe(`${path}${list}`);
    expect(toastOf(answer)).toContain("The mail server");
    expect(await shown(`${path}${list}`)).toContain("ruth@example.com");
  });

  test("is paged", async () => {
    for (let index = 0; index < 21; index++) await fail(`reader-${index}@example.com`);
    const first = await htmlOf(path);
    expect(first).not.toContain("reader-0@example.com");
    const next = /href="(\/admin\/emails\?after=\d+)"/.exec(first)?.[1] ?? "";
    expect(await shown(next)).toContain("reader-0@example.com");
  });
});

describe("the newsletter page", () => {
  const path = "/admin/emails/newsletter";
  let week: string;
  beforeEach(async () => {
    const next = weekOf(world.site.now()) + 1;
    week = String(next);
    world.clock.set(dueAt(next, world.site.settings) - hours(1));
    ({ cookie } = await signIn(world, world.ruth, { reauthenticated: true }));
    await addPost(world, world.maren, { id: "night-bus", title: "The Night <Bus>", createdAt: world.site.now() - hours(1) });
  });

  test("previews the next issue as sandboxed HTML and as text", async () => {
    const html = await htmlOf(path);
    expect(html).toMatch(/<iframe[^>]*sandbox=""/);
    expect(html).not.toContain("<Bus>");
    const page = textOf(html);
    expect(page).toContain("Subject: The Night &lt;Bus&gt; and more from Inkstead");
    expect(page).toContain("http://inkstead.test/post/night-bus");
    expect(page).toContain("Maren Oduya · 1 min read --- You get this email every week");
  });

  test("keeps subject and introduction, and previews them", async () => {
    const answer = await post(path, { do: "save", week, subject: "Buses at night", introduction: "Dear *readers*," });
    expect(toastOf(answer)).toContain("The newsletter has been saved.");
    const html = await htmlOf(path);
    expect(textOf(html)).toContain("Subject: Buses at night");
    expect(html).toContain("Dear readers,");
    expect(html).toContain("Dear *readers*,</textarea>");
  });

  test("says when the next issue is due while it is off or has no stories", async () => {
    await post(path, { do: "schedule", day: "2", hour: "17" });
    expect(await shown(path)).toMatch(/The newsletter is off\. Once it’s on, the next one goes out on Nov \d+, 2026, 5:00 PM UTC\./);
    await post(path, { do: "schedule", enabled: "on", day: "2", hour: "17" });
    await world.site.db.deleteFrom("posts").execute();
    const page = await shown(path);
    expect(page).toMatch(/The next one goes out on Nov \d+, 2026, 5:00 PM UTC if a story is published by then\./);
    expect(page).not.toContain("Send me a test");
    const answer = await post(path, { do: "test" });
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("There is nothing to send yet")]);
  });

  test("sends a test to the viewer only, without an unsubscribe link", async () => {
    await post(path, { do: "import", csv: "ana@example.com,2020-01-01" });
    expect(toastOf(await post(path, { do: "test" }))).toContain("A test is on its way to ruth@example.com.");
    await world.site.outbox.wake(world.site);
    expect(world.emails).toMatchObject([{ to: "ruth@example.com", subject: "Test: The Night <Bus> and more from Inkstead" }]);
    expect(world.emails[0]?.text).toContain("http://inkstead.test/post/night-bus");
    expect(world.emails[0]?.html).not.toMatch(/token|SUBSCRIBER/);
  });

  test("answers 422 for a text that is too long", async () => {
    const answer = await post(path, { do: "save", week, subject: "x".repeat(121), introduction: "" });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("Subject cannot exceed 120 characters")]);
  });

  test("keeps the typed text when it is refused, also because someone else changed the issue", async () => {
    const typed = {
      do: "save",
      week,
      subject: "Buses at night",
      introduction: "Dear *readers*,\nhello",
      "seen-subject": "",
      "seen-introduction": "",
    };
    const long = await (await post(path, { ...typed, subject: "x".repeat(121) })).text();
    expect(long).toContain("Dear *readers*,\nhello</textarea>");
    await post(path, { ...typed, subject: "Theirs", introduction: "" });
    const refused = await post(path, typed);
    const html = await refused.text();
    expect([refused.status, html]).toEqual([409, expect.stringContaining(issueTexts.changed)]);
    expect(html).toContain("Dear *readers*,\nhello</textarea>");
    expect(html).toContain('name="seen-subject" value="Theirs"');
    expect(textOf(await htmlOf(path))).toContain("Subject: Theirs");
    await post(path, { ...typed, "seen-subject": "Theirs" });
    expect(textOf(await htmlOf(path))).toContain("Subject: Buses at night");
  });

  test("skips a week and resumes it", async () => {
    expect(toastOf(await post(path, { do: "skip", week }))).toContain("There will be no newsletter this week.");
    expect(await shown(path)).toContain("This week’s newsletter is skipped.");
    expect(toastOf(await post(path, { do: "resume", week }))).toContain("The newsletter will go out.");
    expect(await shown(path)).toMatch(/The next one goes out on Nov \d+, 2026, 8:00 AM UTC\./);
  });

  test("sets the day and hour, or turns it off", async () => {
    await post(path, { do: "schedule", enabled: "on", day: "2", hour: "17" });
    expect(world.site.settings).toMatchObject({ newsletterEnabled: true, newsletterDay: 2, newsletterHour: 17 });
    await post(path, { do: "schedule", day: "2", hour: "17" });
    expect(world.site.settings.newsletterEnabled).toBe(false);
    expect(await shown(path)).toContain("The newsletter is off.");
    const html = await htmlOf(path);
    for (const name of ["Day", "Hour"]) {
      const [, id] = new RegExp(`<label for="([^"]+)"[^>]*>${name}</label>`).exec(html) ?? [];
      expect(html).toMatch(new RegExp(`<select id="${id}"[^>]* name="${name.toLowerCase()}"`));
    }
    expect((await post(path, { do: "schedule", enabled: "on", day: "9", hour: "17" })).status).toBe(422);
  });

  test("imports subscribers, counts sent emails, and refuses later edits", async () => {
    const answer = await post(path, { do: "import", csv: "ana@example.com,2020-01-01\nben@example.com,2020-01-01" });
    expect(toastOf(answer)).toContain("2 subscribers added, 0 already subscribed, 0 skipped.");
    expect(await (await post(path, { do: "import", csv: "nobody,2020-01-01" })).text()).toContain("Line 1: there’s no email address");
    const many = ["cleo@example.com,2020-01-01", "dan@example.com,soon", ...Array.from({ length: 21 }, () => "nobody,2020-01-01")].join(
      "\n",
    );
    const refused = await (await post(path, { do: "import", csv: many })).text();
    for (const line of [
      "Line 2: the date of consent is missing",
      "Line 21: there’s no",
      "and 2 more lines",
      "dan@example.com,soon\nnobody",
    ])
      expect(refused).toContain(line);
    expect(refused).not.toContain("Line 22:");
    world.clock.advance(hours(1));
    await sendNewsletterWhenDue(world.site);
    await world.site.outbox.wake(world.site);
    expect(await shown(path)).toMatch(/The Night &lt;Bus&gt; and more from Inkstead [^<]*M UTC 2 2 0 0/);
    const late = await post(path, { do: "skip", week });
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining("This newsletter is being sent already.")]);
    expect((await post(path, { do: "skip", week: "1" })).status).toBe(409);
  });
});

test.each(["tobias", "maren", "salma"] as const)("%s can't open or use either page", async (name) => {
  const number = await fail("ana@example.com");
  ({ cookie } = await signIn(world, world[name]));
  for (const path of ["/admin/emails", "/admin/emails/newsletter"]) {
    expect((await web.request(path, { headers: { cookie } })).status).toBe(302);
    for (const what of ["again", "discard", "test", "import", "schedule"])
      expect((await post(path, { do: what, number, csv: "ana@example.com,2020-01-01", enabled: "on", day: "0", hour: "0" })).status).toBe(
        302,
      );
  }
  expect(world.emails).toEqual([]);
  expect(await world.site.db.selectFrom("subscribers").select("email").execute()).toEqual([]);
});

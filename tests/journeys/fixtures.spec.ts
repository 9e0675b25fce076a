import { expect, test } from "./support/fixtures.ts";
import { emailsTo } from "./support/mail-server.ts";

// Tests of the fixtures, which report errors in browsers.

test("an error on the console is reported", async ({ page, problems }) => {
  await page.goto("/healthz");
  await page.evaluate(() => console.error("ink is spilt"));
  await expect.poll(() => problems.list().join()).toContain("ink is spilt");
  problems.allow(/ink is spilt|favicon/);
});

test("an uncaught error is reported", async ({ page, problems }) => {
  await page.goto("/healthz");
  await page.evaluate(() => void setTimeout(() => Promise.reject(new Error("the pen broke"))));
  await expect.poll(() => problems.list().join()).toContain("the pen broke");
  problems.allow(/the pen broke|favicon/);
});

test("a violation of the content security policy is reported", async ({ page, problems }) => {
  await page.goto("/");
  await page.evaluate(() => document.head.append(Object.assign(document.createElement("script"), { text: "window.foreign = 1" })));
  await expect.poll(() => problems.list().join()).toMatch(/content security policy/i);
  problems.allow(/content security policy/i);
});

test("an error in another member's browser is reported", async ({ openBrowser, problems }) => {
  const other = await openBrowser();
  await other.goto("/healthz");
  await other.evaluate(() => console.error("elsewhere"));
  await expect.poll(() => problems.list().join()).toContain("elsewhere");
  problems.allow(/elsewhere|favicon/);
});

test("a member created without the screens is signed in, and emails arrive", async ({ page, newMember, signInAs, site, problems }) => {
  problems.allow(/favicon/);
  const ada = await newMember("Ada Lovelace");
  await signInAs(ada);
  await page.goto("/healthz");
  expect((await page.context().cookies()).map(({ name }) => name)).toContain("inkstead_session");
  await site.mail.send({
    to: ada.email,
    subject: "A test, naïvely",
    text: `Hello ${ada.name},\n\nça va? ${"https://example.com/a-rather-long-link?with=".repeat(3)}`,
  });
  await expect.poll(() => emailsTo(ada.email)[0]?.text).toContain("ça va? https://example.com/a-rather-long-link?with=https://example.com");
});

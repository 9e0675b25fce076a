import { afterEach, beforeEach, expect, test } from "vitest";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { openWeb } from "../tests/support/web.ts";
import { openWorld, type World } from "../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const ask = () => openWeb(world).request("/.well-known/security.txt");

test("there is no security.txt without a contact", async () => {
  expect((await ask()).status).toBe(404);
});

test("it has the contact, its own address, and an expiry within a year", async () => {
  await saveSettings(world.site, world.ruth, { securityContact: " security@inkstead.test " });
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  const lines = Object.fromEntries(
    (await answer.text())
      .trim()
      .split("\n")
      .map((line) => line.split(": ")),
  );
  expect(lines).toMatchObject({
    Contact: "mailto:security@inkstead.test",
    Canonical: "http://inkstead.test/.well-known/security.txt",
  });
  const days = (Date.parse(lines.Expires ?? "") - world.site.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});

test("the contact may be a page, and it is available during maintenance", async () => {
  await saveSettings(world.site, world.ruth, { securityContact: "https://inkstead.test/report?x=1", maintenanceMode: true });
  expect(await (await ask()).text()).toContain("Contact: https://inkstead.test/report?x=1\n");
});

test.each([
  "http://inkstead.test",
  "javascript:alert(1)",
  "nobody",
  "a@b.example\nContact: mailto:evil@evil.example",
  "https://a.example/\nX: 1",
])("%j is no contact", async (securityContact) => {
  const saving = saveSettings(world.site, world.ruth, { securityContact });
  await expect(saving).rejects.toMatchObject({ code: "invalid", field: "securityContact" });
});

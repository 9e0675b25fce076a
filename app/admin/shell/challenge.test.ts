import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settingsFormValues } from "#app/admin/settings/settings-form.ts";
import { addPasskey as addKey, startPasskey } from "#domain/accounts/sign-in/passkeys.server.ts";
import type { Member } from "#domain/site.ts";
import type { Web } from "#server/http.ts";
import { VirtualAuthenticator } from "../../../tests/support/virtual-authenticator.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, password, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
let web: Hono<Web>;
let cookie: string;

beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ({ cookie } = await signIn(world, world.ruth));
});
afterEach(() => world.close());

const get = (path: string) => web.request(path, { headers: { cookie } });
const post = (path: string, fields: Record<string, string>) => web.request(path, formPost(fields, { cookie }));
const suspending = { do: "suspend", days: "7", reason: "Sold things & <more>" };
const suspensions = () => world.site.db.selectFrom("suspensions").select("userId").execute();
const member = () => `/admin/users/${world.tobias.id}`;

/** The settings' form with changed fields. */
function settingsForm(changed: Record<string, string | boolean>): Record<string, string> {
  const shown = settingsFormValues(world.site.settings, false);
  const fields = Object.entries({ ...shown, ...changed }).filter(([, value]) => value !== false && typeof value !== "number");
  const sent = fields.map(([name, value]) => [name, value === true ? "on" : String(value)] as const);
  return { shown: JSON.stringify(shown), ...Object.fromEntries(sent) };
}

/** All fields of the page's challenge, as a browser sends them. */
function fieldsIn(html: string): Record<string, string> {
  const text = (escaped: string) =>
    escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return Object.fromEntries(
    [...html.matchAll(/<textarea name="([^"]+)"[^>]*>([^<]*)</g)].map(([, name, value]) => [name, text(value ?? "")]),
  );
}

test("a sensitive form asks for the password again and is then executed", async () => {
  const challenge = await post(member(), suspending);
  expect(challenge.status).toBe(403);
  const html = await challenge.text();
  expect(html).toContain("Confirm it’s you");
  expect(fieldsIn(html)).toEqual(suspending);
  expect(html).toContain(`action="${member()}"`);
  expect(await suspensions()).toEqual([]);
  const done = await post(member(), { ...fieldsIn(html), "reauthenticate-password": password });
  expect([done.status, done.headers.get("location")]).toEqual([302, member()]);
  expect(await suspensions()).toEqual([{ userId: world.tobias.id }]);
});

test("signing in with the password is enough for fifteen minutes", async () => {
  const entered = await web.request("/login", formPost({ email: world.ruth.email, password }));
  cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  world.clock.advance(15 * 60_000 - 1000);
  expect((await post(member(), suspending)).status).toBe(302);
  expect(await suspensions()).toEqual([{ userId: world.tobias.id }]);
  world.clock.advance(1000);
  expect((await get("/admin/messages")).status).toBe(302);
});

test("a wrong password keeps the form; after ten attempts nothing is tried", async () => {
  const wrong = await post(member(), { ...suspending, "reauthenticate-password": "wrong" });
  expect(wrong.status).toBe(422);
  const html = await wrong.text();
  expect(html).toContain("Confirm it’s you");
  expect(fieldsIn(html)).toEqual(suspending);
  expect(html).not.toContain('value="wrong"');
  for (let i = 0; i < 12; i++) await post(member(), { ...suspending, "reauthenticate-password": "wrong" });
  const late = await post(member(), { ...suspending, "reauthenticate-password": password });
  expect(late.status).toBe(429);
  expect(fieldsIn(await late.text())).toEqual(suspending);
  expect(await suspensions()).toEqual([]);
});

test("a scripted form gets the challenge and its own fields back", async () => {
  const answer = await post(`${member()}.data`, suspending);
  expect(answer.status).toBe(403);
  const text = await answer.text();
  expect(text).toContain("reauthentication-required");
  expect(text).toContain("Sold things");
  expect(text).toContain(`"${member()}"`);
});

test("a confirmation lasts 15 minutes, in this session only", async () => {
  expect((await get("/admin/messages")).headers.get("location")).toBe("/admin/verify?then=%2Fadmin%2Fmessages");
  const verified = await post("/admin/verify?then=%2Fadmin%2Fmessages", { "reauthenticate-password": password });
  expect(verified.headers.get("location")).toBe("/admin/messages");
  expect((await get("/admin/messages")).status).toBe(200);
  const other = (await signIn(world, world.ruth)).cookie;
  expect((await web.request("/admin/messages", { headers: { cookie: other } })).status).toBe(302);
  world.clock.advance(15 * 60_000);
  expect((await get("/admin/messages")).status).toBe(302);
});

test("the challenge can't redirect to another site", async () => {
  const away = await post("/admin/verify?then=https://evil.example", { "reauthenticate-password": password });
  expect(away.headers.get("location")).toBe("/admin");
});

test.each([
  ["/admin/database", { do: "backup" }],
  ["/admin/database", { backupEvery: "24", backupsKept: "3" }],
  ["/admin/staff", { do: "grant", email: "maren@example.com", role: "administrator" }],
  ["/admin/settings/pages/help", { title: "Help", lead: "", text: "Ask.", version: "0" }],
])("%s asks for the password first", async (path, fields) => {
  const answer = await post(path, fields as Record<string, string>);
  expect(answer.status).toBe(403);
  expect(fieldsIn(await answer.text())).toEqual(fields);
  expect(await world.site.db.selectFrom("audit_log").select("action").execute()).toEqual([]);
});

test("saving settings asks for the password and keeps the form", async () => {
  const fields = settingsForm({ siteName: "Mine" });
  const challenge = await post("/admin/settings", fields);
  expect(challenge.status).toBe(403);
  const kept = fieldsIn(await challenge.text());
  expect(kept).toEqual(fields);
  expect(world.site.settings.siteName).toBe("Inkstead");
  await post("/admin/settings", { ...kept, "reauthenticate-password": password });
  expect(world.site.settings.siteName).toBe("Mine");
});

test.each(["/admin/messages", "/admin/messages/1", "/admin/messages?q=word", "/admin/database/backups/1"])(
  "%s asks before it shows anything",
  async (path) => {
    expect((await get(path)).headers.get("location")).toBe(`/admin/verify?then=${encodeURIComponent(path)}`);
  },
);

test("once a staff member has a second step, staff without one lose access and are redirected to set it up", async () => {
  const { db } = world.site;
  expect((await get("/admin")).status).toBe(200);
  const { member: maren } = await signIn(world, world.maren);
  await db.insertInto("administrators").values({ userId: maren.id, createdAt: 1, role: "moderator" }).execute();
  await db.updateTable("users").set({ twoFactorEnabled: true }).where("id", "=", maren.id).execute();
  const redirected = await get("/admin");
  expect([redirected.status, redirected.headers.get("location")]).toEqual([302, "/account"]);
  expect((await post("/admin/settings", { siteName: "Mine", "reauthenticate-password": password })).headers.get("location")).toBe(
    "/account",
  );
  const memberCookie = (await signIn(world, world.maren)).cookie;
  expect((await web.request("/admin", { headers: { cookie: memberCookie } })).status).toBe(200);
});

test("only an administrator with a second step can require one", async () => {
  const refused = await post("/admin/settings", { ...settingsForm({ staffSecondStep: true }), "reauthenticate-password": password });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("Set up an authenticator app or a passkey for yourself first");
  expect(world.site.settings.staffSecondStep).toBe(null);
});

describe("a passkey instead of the password", () => {
  const origin = "http://inkstead.test";
  const key = new VirtualAuthenticator(origin);

  /** Like a browser, with the cookies of the challenge. */
  async function startSignIn(): Promise<{ options: unknown; jar: string }> {
    const challenge = await web.request("/login/passkey/start", formPost({}, { cookie }));
    const cookies = challenge.headers.getSetCookie().map((each) => each.split(";")[0]);
    return { options: (await challenge.json()) as unknown, jar: [cookie, ...cookies].join("; ") };
  }

  async function addPasskey(who: Member, device: VirtualAuthenticator): Promise<void> {
    const { cookie: own, member } = await signIn(world, who);
    const challenge = await startPasskey(world.site, member, { ip: "192.0.2.7", userAgent: "Firefox", cookie: own }, password);
    const jar = [own, ...challenge.cookies.map((each) => each.split(";")[0])].join("; ");
    const browser = { ip: "192.0.2.7", userAgent: "Firefox", cookie: jar };
    await addKey(world.site, member, browser, { name: "Laptop", response: device.register(challenge.options) });
  }

  async function offersPasskey(): Promise<unknown> {
    const [line = ""] = (await (await get("/admin/verify.data")).text()).split("\n");
    const values = JSON.parse(line) as unknown[];
    const name = `_${values.indexOf("passkey")}`;
    const holder = values.find((value): value is Record<string, number> => value !== null && typeof value === "object" && name in value);
    return values[holder?.[name] ?? -1];
  }

  const prove = (device: VirtualAuthenticator, { options, jar }: Awaited<ReturnType<typeof startSignIn>>) =>
    web.request(
      member(),
      formPost({ ...suspending, "reauthenticate-passkey": JSON.stringify(device.authenticate(options)) }, { cookie: jar }),
    );

  test("is offered to accounts with a passkey", async () => {
    expect(await offersPasskey()).toBe(false);
    await addPasskey(world.ruth, key);
    expect(await offersPasskey()).toBe(true);
  });

  test("executes the form, creates no session, and lasts fifteen minutes", async () => {
    await addPasskey(world.ruth, key);
    const sessions = async () => (await world.site.db.selectFrom("sessions").select("id").execute()).length;
    const before = await sessions();
    const done = await prove(key, await startSignIn());
    expect([done.status, done.headers.get("location")]).toEqual([302, member()]);
    expect(await suspensions()).toEqual([{ userId: world.tobias.id }]);
    expect(await sessions()).toBe(before);
    world.clock.advance(15 * 60_000 - 1000);
    expect((await post("/admin/database", { backupEvery: "24", backupsKept: "7" })).status).toBe(302);
    world.clock.advance(1000);
    expect((await post("/admin/database", { backupEvery: "24", backupsKept: "7" })).status).toBe(403);
  });

  test("of another account or for another challenge is refused", async () => {
    const theirs = new VirtualAuthenticator(origin);
    await addPasskey(world.maren, theirs);
    await addPasskey(world.ruth, key);
    const other = await prove(theirs, await startSignIn());
    expect(other.status).toBe(422);
    expect(await other.text()).toContain("This passkey belongs to another account");
    const [first, second] = [await startSignIn(), await startSignIn()];
    expect((await prove(key, { options: first.options, jar: second.jar })).status).toBe(422);
    expect((await prove(key, { options: second.options, jar: cookie })).status).toBe(422);
    expect(await suspensions()).toEqual([]);
  });
});

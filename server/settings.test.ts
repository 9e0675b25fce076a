import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storeAvatar } from "#domain/files/avatars.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import type { SettingsChanges } from "#domain/settings/settings-input.ts";
import { addAuthenticator, addPasskey, signInWithPasskey } from "../tests/support/browsers/account-security.ts";
import { PlainBrowser } from "../tests/support/browsers/plain-browser.ts";
import { noise, picture } from "../tests/support/pictures.ts";
import { codeOf } from "../tests/support/totp.ts";
import { VirtualAuthenticator } from "../tests/support/virtual-authenticator.ts";
import { formPost, openWeb } from "../tests/support/web.ts";
import { openWorld, password, signIn, type World } from "../tests/support/world.ts";
import type { Web } from "./http.ts";

let world: World;
let web: Hono<Web>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const save = (changes: SettingsChanges) => saveSettings(world.site, world.ruth, changes);
const cookieOf = async (person: "maren" | "ruth") => (await signIn(world, world[person])).cookie;
const page = async (path: string, cookie = "") => (await web.request(path, { headers: { cookie } })).text();
const publish = async () =>
  (await createPost(world.site, world.maren, { title: "Night Bus", slug: "night-bus", content: "", status: "active" }, await picture())).id;

describe("maintenance", () => {
  const message = "Moving the shelves.\nBack at nine.";
  beforeEach(() => save({ maintenanceMode: true, maintenanceMessage: message }));

  test.each(["/", "/all-posts", "/signup", "/terms", "/post/night-bus", "/nowhere"])(
    "%s shows the message with status 503",
    async (path) => {
      for (const cookie of ["", await cookieOf("maren")]) {
        const answer = await web.request(path, { headers: { cookie } });
        expect(answer.status).toBe(503);
        expect(answer.headers.get("retry-after")).toBe("300");
        const text = await answer.text();
        expect(text).toContain("We’ll be right back");
        expect(text).toContain(message);
        expect(text).not.toContain("Create an Account");
      }
    },
  );

  test("data, forms and files are refused too", async () => {
    const cookie = await cookieOf("maren");
    expect((await web.request("/all-posts.data", { headers: { cookie } })).status).toBe(503);
    expect((await web.request("/files/19dfa1c0000", { headers: { cookie } })).status).toBe(503);
    expect((await web.request("/post/night-bus/react", formPost({ reaction: "like", wanted: "yes" }, { cookie }))).status).toBe(503);
    expect((await web.request("/signup", formPost({ name: "Kenji", email: "kenji@example.com", password }))).status).toBe(503);
  });

  test("signing in stays possible, and administrators see everything", async () => {
    expect((await web.request("/healthz")).status).toBe(200);
    expect((await web.request("/readyz")).status).toBe(200);
    expect((await web.request("/favicon.svg")).status).toBe(200);
    for (const path of ["/login", "/login.data", "/login/_.data"]) expect((await web.request(path)).status).toBe(200);
    const answer = await web.request("/login", formPost({ email: world.ruth.email, password }));
    expect(answer.status).toBe(302);
    const cookie = (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    expect((await web.request("/all-posts", { headers: { cookie } })).status).toBe(200);
  });

  test("signing in with a code or a passkey stays possible", async () => {
    const browser = () => new PlainBrowser({ world, web });
    const device = new VirtualAuthenticator(world.site.url);
    const ruth = await browser().signIn(world.ruth.email);
    await addPasskey(ruth, device);
    const address = await addAuthenticator(world, ruth);
    const withPasskey = browser();
    await signInWithPasskey(withPasskey, device);
    expect(await withPasskey.who()).toBe(world.ruth.id);
    const withCode = browser();
    expect((await withCode.post("/login", { email: world.ruth.email, password })).headers.get("location")).toBe("/login/code");
    for (const path of ["/login/code", "/login/code.data"]) expect((await withCode.get(path)).status).toBe(200);
    await withCode.post("/login/code", { code: codeOf(address, world.site.now() + 30_000) });
    expect(await withCode.who()).toBe(world.ruth.id);
  });

  test("ends when it is turned off", async () => {
    await save({ maintenanceMode: false });
    expect((await web.request("/")).status).toBe(200);
  });
});

describe("closed registration", () => {
  beforeEach(() => save({ allowRegistration: false }));

  test("the page explains it and links to Sign In; forms are refused", async () => {
    const text = await page("/signup");
    expect(text).toContain("Registration is closed");
    expect(text).toContain('href="/login"');
    const answer = await web.request("/signup", formPost({ name: "Kenji", email: "kenji@example.com", password }));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("Registration is closed");
  });
});

describe("features that are off", () => {
  test("likes: no button, no count, and the verb refuses", async () => {
    const id = await publish();
    await save({ enableLikes: false });
    const text = await page(`/post/${id}`, await cookieOf("maren"));
    expect(text).not.toContain('value="like"');
    expect(text).toContain('value="bookmark"');
    await expect(setLike(world.site, world.tobias, id, true)).rejects.toMatchObject({ code: "not-allowed" });
  });

  test("bookmarks: no button, and the verb refuses", async () => {
    const id = await publish();
    await save({ enableBookmarks: false });
    const text = await page(`/post/${id}`, await cookieOf("maren"));
    expect(text).not.toContain('value="bookmark"');
    expect(text).toContain('value="like"');
    await expect(setBookmark(world.site, world.ruth, id, true)).rejects.toMatchObject({ code: "not-allowed" });
  });

  test("messages: no link, sending is refused; received ones stay readable", async () => {
    await sendMessage(world.site, world.tobias, { to: world.maren.id, text: "Hello", sendId: "1" });
    await save({ enableMessages: false });
    expect(await page("/", await cookieOf("maren"))).not.toContain('href="/messages"');
    const sending = sendMessage(world.site, world.tobias, { to: world.maren.id, text: "Hello?", sendId: "2" });
    await expect(sending).rejects.toMatchObject({ code: "not-allowed", message: "Messages are turned off on this site" });
    await expect(markConversationRead(world.site, world.maren, world.tobias.id)).resolves.toBeUndefined();
  });
});

describe("the rest", () => {
  test("name and description apply at once to titles, header and previews", async () => {
    await save({ siteName: "Night Bus", siteDescription: "Stories after midnight" });
    const text = await page("/terms");
    expect(text).toMatch(/<title>[^<]+ · Night Bus<\/title>/);
    expect(await page("/")).toContain('content="Stories after midnight"');
    expect(text).not.toContain(">Inkstead<");
  });

  test("visitors may list stories if that is public", async () => {
    expect((await web.request("/all-posts")).headers.get("location")).toContain("/login");
    await save({ publicStoryListing: true });
    expect((await web.request("/all-posts")).status).toBe(200);
  });

  test("stories per member", async () => {
    await save({ maxPostsPerUser: 1 });
    await publish();
    const another = { title: "Another", slug: "another", content: "", status: "inactive" } as const;
    await expect(createPost(world.site, world.maren, another, await picture())).rejects.toThrow("You have reached the limit of 1 posts");
  });

  test("the size of a profile picture", async () => {
    const upload = await noise(1.2);
    await save({ maxFileSize: 1 });
    await expect(storeAvatar(world.site, world.maren, upload)).rejects.toThrow("Image size should be less than 1MB");
    await save({ maxFileSize: 2 });
    await expect(storeAvatar(world.site, world.maren, upload)).resolves.toMatchObject({ type: "image/jpeg" });
  });
});

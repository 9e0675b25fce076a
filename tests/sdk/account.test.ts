import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApiKeyFor } from "#domain/accounts/api-keys/api-keys.server.ts";
import { password } from "../support/world.ts";
import { everySdk, failure, ids, type OpenApi, openApi, sdks, sendOrigin, stubBrowser, webSdks } from "./api.ts";

let api: OpenApi;
beforeEach(async () => {
  stubBrowser();
  api = await openApi();
});
afterEach(() => api.close());

const newUser = ["newcomer-nadia", "Nadia@Example.com", "a door left open", "Nadia Brandt"] as const;

describe.each(everySdk)("account with %s", (name) => {
  test("16 create returns 201 with a complete user", async () => {
    const { account } = await api.connect(name);
    const user = await account.create(...newUser);
    expect(user).toMatchObject({
      $id: "newcomer-nadia",
      name: "Nadia Brandt",
      email: "nadia@example.com",
      prefs: {},
      status: true,
      labels: [],
    });
    expect(Object.keys(user).sort()).toEqual(
      [
        ...["$createdAt", "$id", "$updatedAt", "accessedAt", "email", "emailVerification", "labels", "mfa", "name", "passwordUpdate"],
        ...["phone", "phoneVerification", "prefs", "registration", "status", "targets"],
      ].sort(),
    );
    expect(user.$createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    expect(await api.world.site.db.selectFrom("sessions").selectAll().where("userId", "=", "newcomer-nadia").execute()).toEqual([]);
  });

  test("17 an existing address or id is 409", async () => {
    const { account } = await api.connect(name);
    await account.create(...newUser);
    const taken = { code: 409, type: "user_already_exists" };
    expect(await failure(() => account.create("another-newcomer", newUser[1], newUser[2], "Other"))).toMatchObject(taken);
    expect(await failure(() => account.create("newcomer-nadia", "other@example.com", newUser[2], "Other"))).toMatchObject(taken);
  });

  test("an id must be long enough not to occur in other texts, and ids of deleted accounts are not reused", async () => {
    const { account } = await api.connect(name);
    const create = (id: string) => failure(() => account.create(id, newUser[1], newUser[2], "Nadia"));
    for (const id of ["a", "e", "elevenchars", "a.dotted.identifier", "a-name-of-more-than-thirty-six-letters"])
      expect(await create(id)).toMatchObject({ code: 400, type: "general_argument_invalid" });
    await api.world.site.db.insertInto("deleted_accounts").values({ userId: "who-has-left", deletedAt: 1 }).execute();
    expect(await create("who-has-left")).toMatchObject({ code: 409, type: "user_already_exists" });
    const { $id } = await account.create("unique()", newUser[1], newUser[2], "Nadia");
    expect($id).toMatch(/^\w{18,20}$/);
  });

  test("18 a password of 7 characters is 400", async () => {
    const { account } = await api.connect(name);
    const error = await failure(() => account.create("newcomer-nadia", newUser[1], "1234567", "Nadia"));
    expect(error).toMatchObject({ code: 400, type: "general_argument_invalid" });
    expect(error.message).toMatch(/^Invalid `password` param: Password must be between 8 and 200 characters long,/);
  });

  test("a common password, or one with the name or address, is 400 in every operation", async () => {
    const { account } = await api.connect(name);
    const refused = { code: 400, type: "general_argument_invalid" };
    for (const common of ["password", "Sunshine1", "nadiabrandt1"]) {
      const error = await failure(() => account.create("newcomer-nadia", newUser[1], common, "Nadia Brandt"));
      expect(error).toMatchObject(refused);
      expect(error.message).toMatch(/^Invalid `password` param: This password is too /);
    }
    const { account: marens } = await api.connect(name, api.world.maren);
    expect(await failure(() => marens.updatePassword("maren oduya", password))).toMatchObject(refused);
    expect(await failure(() => marens.updatePassword("maren oduya", "not the password"))).toMatchObject({
      type: "user_invalid_credentials",
    });
  });

  test("19 get without a session is 401", async () => {
    const { account } = await api.connect(name);
    const message = "User (role: guests) missing scope (account)";
    expect(await failure(() => account.get())).toMatchObject({ code: 401, type: "general_unauthorized_scope", message });
  });

  test("20 signing in returns a complete session", async () => {
    const { account } = await api.connect(name);
    const session = await account.createEmailPasswordSession("maren@example.com", password);
    expect(session).toMatchObject({ userId: api.world.maren.id, current: true, secret: "", provider: "email", factors: ["password"] });
    expect(Object.keys(session)).toHaveLength(29);
  });

  test("22 setSession alone signs a client in", async () => {
    const { account } = await api.connect(name, api.world.maren);
    expect(await account.get()).toMatchObject({ $id: api.world.maren.id, email: "maren@example.com", emailVerification: true });
  });

  test("23 a wrong password and an unknown address give the same response", async () => {
    const { account } = await api.connect(name);
    const wrong = await failure(() => account.createEmailPasswordSession("maren@example.com", "not the password"));
    const unknown = await failure(() => account.createEmailPasswordSession("nobody@example.com", "not the password"));
    expect(wrong).toMatchObject({ code: 401, type: "user_invalid_credentials" });
    expect(unknown).toEqual(wrong);
  });

  test("24 signing in while signed in is 401", async () => {
    const { account } = await api.connect(name, api.world.maren);
    const error = await failure(() => account.createEmailPasswordSession("maren@example.com", password));
    expect(error).toMatchObject({ code: 401, type: "user_session_already_exists" });
  });

  test("25 getSession finds the current session, and no other person's", async () => {
    const { account } = await api.connect(name, api.world.maren);
    const other = await api.connect(name, api.world.tobias);
    const current = await account.getSession("current");
    expect(await account.getSession(current.$id)).toEqual(current);
    expect(current.current).toBe(true);
    for (const id of ["unknown", (await other.account.getSession("current")).$id])
      expect(await failure(() => account.getSession(id))).toMatchObject({ code: 404, type: "user_session_not_found" });
  });

  test("26 listSessions marks exactly one as current", async () => {
    const { account } = await api.connect(name, api.world.maren);
    await api.signIn(api.world.maren);
    const { total, sessions } = await account.listSessions();
    expect([total, sessions.length, sessions.filter((session) => session.current).length]).toEqual([2, 2, 1]);
  });

  test("an expired session is neither found nor extended", async () => {
    const { account } = await api.connect(name, api.world.maren);
    const { site } = api.world;
    const { $id } = await account.getSession("current");
    await api.signIn(api.world.maren);
    const expired = { expiresAt: new Date(site.now()).toISOString() };
    const own = (await account.listSessions()).sessions.find((session) => !session.current)?.$id ?? "";
    await site.db.updateTable("sessions").set(expired).where("id", "=", own).execute();
    for (const use of [() => account.getSession(own), () => account.updateSession(own), () => account.deleteSession(own)])
      expect(await failure(use)).toMatchObject({ code: 404, type: "user_session_not_found" });
    expect((await account.listSessions()).sessions.map((session) => session.$id)).toEqual([$id]);
    const { expiresAt } = await site.db.selectFrom("sessions").select("expiresAt").where("id", "=", own).executeTakeFirstOrThrow();
    expect(new Date(expiresAt).getTime()).toBe(site.now());
  });

  test("a new password gives this client a new session secret and ends the old one", async () => {
    const headers = { "content-type": "application/json", "x-appwrite-project": "inkstead" };
    const { email, id } = api.world.maren;
    const session = await fetch(`${api.endpoint}/account/sessions/email`, {
      method: "POST",
      headers,
      body: JSON.stringify({ email, password }),
    });
    const cookieOf = (response: Response) => (response.headers.getSetCookie()[0] ?? "").split(";", 1)[0] ?? "";
    const old = cookieOf(session);
    const body = JSON.stringify({ password: "a brand new password", oldPassword: password });
    const changed = await fetch(`${api.endpoint}/account/password`, { method: "PATCH", headers: { ...headers, cookie: old }, body });
    expect(changed.status).toBe(200);
    const who = async (cookie: string) => (await fetch(`${api.endpoint}/account`, { headers: { ...headers, cookie } })).json();
    expect(await who(cookieOf(changed))).toMatchObject({ $id: id });
    expect(await who(old)).toMatchObject({ code: 401 });
  });

  test("27 deleteSession ends the session for all clients that have its secret", async () => {
    const { account } = await api.connect(name, api.world.maren);
    expect(await account.deleteSession("current")).toEqual({ message: "" });
    expect(await failure(() => account.get())).toMatchObject({ code: 401 });
  });

  test("28 deleteSessions ends all sessions", async () => {
    const [one, other] = [await api.connect(name, api.world.maren), await api.connect(name, api.world.maren)];
    await one.account.deleteSessions();
    expect(await failure(() => other.account.get())).toMatchObject({ code: 401 });
  });

  test("29 name, address and password can be changed", async () => {
    const { account } = await api.connect(name, api.world.maren);
    expect(await account.updateName("Maren O.")).toMatchObject({ name: "Maren O." });
    // The new address counts once the link mailed to it is opened; the old address can stop that.
    expect(await account.updateEmail("maren.o@example.com", password)).toMatchObject({
      email: "maren@example.com",
      emailVerification: true,
    });
    expect(api.world.emails.map(({ to }) => to)).toEqual(["maren.o@example.com", "maren@example.com"]);
    expect(await failure(() => account.updateEmail("tobias@example.com", password))).toMatchObject({ code: 409 });
    const wrong = await failure(() => account.updatePassword("another password", "not the password"));
    expect(wrong).toMatchObject({ code: 401, type: "user_invalid_credentials" });
    expect(await account.updatePassword("another password", password)).toMatchObject({ $id: api.world.maren.id });
    const again = await api.connect(name);
    expect(await again.account.createEmailPasswordSession("maren@example.com", "another password")).toMatchObject({ current: true });
  });

  test("30 updatePrefs replaces all, getPrefs returns only the preferences", async () => {
    const { account } = await api.connect(name, api.world.maren);
    await account.updatePrefs({ theme: "dark", size: 3 });
    await account.updatePrefs({ theme: "light" });
    expect(await account.getPrefs()).toEqual({ theme: "light" });
    expect((await account.get()).prefs).toEqual({ theme: "light" });
  });

  test("31 a JWT works until its session ends", async () => {
    const { account } = await api.connect(name, api.world.maren);
    const { jwt } = await account.createJWT();
    const other = await api.connect(name);
    other.client.setJWT(jwt);
    expect(await other.account.get()).toMatchObject({ $id: api.world.maren.id });
    await account.deleteSession("current");
    expect(await failure(() => other.account.get())).toMatchObject({ code: 401, type: "user_jwt_invalid" });
  });

  test("31 a JWT ends with a new password, though its session continues", async () => {
    const { account } = await api.connect(name, api.world.maren);
    const { jwt } = await account.createJWT();
    const other = await api.connect(name);
    other.client.setJWT(jwt);
    expect(await other.account.get()).toMatchObject({ $id: api.world.maren.id });
    await account.updatePassword("another password", password);
    expect(await account.get()).toMatchObject({ $id: api.world.maren.id });
    expect(await failure(() => other.account.get())).toMatchObject({ code: 401, type: "user_jwt_invalid" });
  });

  const linkIn = (text = "") => new URL(/https?:\S+/.exec(text)?.[0] ?? "").searchParams;

  test("32 and 33 a recovery secret works once", async () => {
    const { account } = await api.connect(name);
    const url = `${api.endpoint.replace("/v1", "")}/reset`;
    expect(await failure(() => account.createRecovery("nobody@example.com", url))).toMatchObject({ code: 404, type: "user_not_found" });
    expect(await account.createRecovery("maren@example.com", url)).toMatchObject({ userId: api.world.maren.id, secret: "" });
    const link = linkIn(api.world.emails.at(-1)?.text);
    const use = () => account.updateRecovery(link.get("userId") ?? "", link.get("secret") ?? "", "a brand new password");
    expect(await use()).toMatchObject({ userId: api.world.maren.id });
    expect(await failure(use)).toMatchObject({ code: 401, type: "user_invalid_token" });
    expect(await account.createEmailPasswordSession("maren@example.com", "a brand new password")).toMatchObject({ current: true });
  });

  test("32 links to unregistered pages are refused", async () => {
    const { account } = await api.connect(name);
    const error = await failure(() => account.createRecovery("maren@example.com", "https://evil.example/reset"));
    expect(error).toMatchObject({ code: 400, type: "general_argument_invalid" });
    expect(api.world.emails).toEqual([]);
  });

  test("34 verification with the emailed secret", async () => {
    const { account } = await api.connect(name, api.world.salma);
    await account.createVerification(`${api.endpoint.replace("/v1", "")}/verify`);
    const link = linkIn(api.world.emails.at(-1)?.text);
    const visitor = await api.connect(name);
    const wrong = await failure(() => visitor.account.updateVerification(api.world.maren.id, link.get("secret") ?? ""));
    expect(wrong).toMatchObject({ code: 401, type: "user_invalid_token" });
    await visitor.account.updateVerification(link.get("userId") ?? "", link.get("secret") ?? "");
    expect(await account.get()).toMatchObject({ emailVerification: true });
  });
});

describe.each(webSdks)("a registered page of another site with %s", (name) => {
  let restoreFetch: () => void;
  beforeEach(() => {
    restoreFetch = sendOrigin("http://localhost:5173");
  });
  afterEach(() => restoreFetch());

  test("21 keeps the session", async () => {
    const { account } = await api.connect(name);
    await account.createEmailPasswordSession("maren@example.com", password);
    expect(Object.keys(JSON.parse(localStorage.getItem("cookieFallback") ?? ""))).toEqual(["a_session_inkstead"]);
    expect(await account.get()).toMatchObject({ $id: api.world.maren.id });
  });

  test("27 removes it on signing out", async () => {
    const { account } = await api.connect(name);
    await account.createEmailPasswordSession("maren@example.com", password);
    const fallback = localStorage.getItem("cookieFallback") ?? "";
    await account.deleteSession("current");
    expect(localStorage.getItem("cookieFallback")).toBe("[]");
    expect(await failure(() => account.get())).toMatchObject({ code: 401 });
    localStorage.setItem("cookieFallback", fallback);
    expect(await failure(() => account.get())).toMatchObject({ code: 401 });
  });
});

test("20 signing in sets both cookies, and responses to pages of this site have no session secret", async () => {
  const body = JSON.stringify({ email: "maren@example.com", password });
  const headers = { "content-type": "application/json", "x-appwrite-project": "inkstead", origin: new URL(api.endpoint).origin };
  const response = await fetch(`${api.endpoint}/account/sessions/email`, { method: "POST", headers, body });
  expect(response.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual([
    "a_session_inkstead",
    "a_session_inkstead_legacy",
  ]);
  expect(response.headers.getSetCookie().every((cookie) => cookie.includes("HttpOnly"))).toBe(true);
  expect(response.headers.get("x-fallback-cookies")).toBeNull();
});

test("a server program with a key acts as the account and gets the secrets of sessions it creates", async () => {
  const node = sdks["node-appwrite 27.1.0"];
  const { secret: key } = await createApiKeyFor(api.world.site, "ruth@example.com", { name: "k", scopes: ["read", "write"], days: 7 });
  const client = new node.Client().setEndpoint(api.endpoint).setProject(ids.project);
  (client as unknown as { setKey(key: string): void }).setKey(key);
  const account = new node.Account(client);
  expect(await account.get()).toMatchObject({ $id: api.world.ruth.id });
  const { secret } = await account.createEmailPasswordSession("maren@example.com", password);
  const other = await api.connect("node-appwrite 27.1.0");
  other.client.setSession(secret);
  expect(await other.account.get()).toMatchObject({ $id: api.world.maren.id });
});

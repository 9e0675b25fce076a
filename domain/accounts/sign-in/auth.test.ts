import { createHash, createHmac } from "node:crypto";
import { getMigrations } from "better-auth/db/migration";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorld, password, type World } from "../../../tests/support/world.ts";
import { authHeaders, authOptions, createAuth, sessionCookieName, withPasswordHash } from "./auth.server.ts";

describe("Better Auth", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  function parts(url = world.site.url) {
    const { db, engine, secret, now } = world.site;
    return { db, engine, sendEmail: async () => {}, url, secret, settings: { siteName: "Inkstead" }, now };
  }

  test("has the tables that it expects", async () => {
    const { toBeCreated, toBeAdded } = await getMigrations(authOptions(parts()));
    expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
  });

  test("sets a cookie that we can verify", async () => {
    for (const url of ["http://inkstead.test", "https://inkstead.test"]) {
      const { headers } = await createAuth(parts(url)).api.signInEmail({
        body: { email: world.maren.email, password },
        returnHeaders: true,
      });
      const cookie = headers.getSetCookie()[0] ?? "";
      const [name, value] = (cookie.split(";")[0] ?? "").split("=");
      const [token, signature] = decodeURIComponent(value ?? "").split(".");
      expect(name).toBe(sessionCookieName(url));
      expect(signature).toBe(
        createHmac("sha256", world.site.secret)
          .update(token ?? "")
          .digest("base64"),
      );
      expect(/; Secure/.test(cookie)).toBe(url.startsWith("https:"));
      expect(cookie.startsWith("__Host-")).toBe(url.startsWith("https:"));
      expect(cookie).toMatch(/; Path=\/(;|$)/);
      expect(cookie).not.toMatch(/; Domain=/);
    }
  });

  test("keeps passwords as salted hashes", async () => {
    const rows = await world.site.db.withTables<{ accounts: { password: string } }>().selectFrom("accounts").select("password").execute();
    for (const row of rows) expect(row.password).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/);
    expect(rows.map((row) => row.password).join()).not.toContain(createHash("sha256").update(password).digest("hex"));
  });

  test("uses a given hash only within that call", async () => {
    const { password: hashing } = await world.site.auth.$context;
    const [inside, again] = await withPasswordHash("first", async () => [await hashing.hash("first"), await hashing.hash("first")]);
    expect(inside).toBe(again);
    const outside = await hashing.hash("second");
    expect(outside).not.toBe(inside);
    expect(await hashing.verify({ hash: outside, password: "second" })).toBe(true);
  });
});

test("only we set the client's address, and long user agents are cut", () => {
  const headers = authHeaders({ ip: "192.0.2.7", userAgent: "b".repeat(1000) }, "a=1");
  expect(Object.fromEntries(headers)).toEqual({ "x-client-address": "192.0.2.7", "user-agent": "b".repeat(300), cookie: "a=1" });
});

import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Web } from "#server/http.ts";
import { actionPaths, fewAtATime } from "../../tests/fuzz/actions.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

const fields = ["email", "name", "password", "code", "title", "content", "text", "reason", "ids", "save"];
const encoded = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=x";
const each = (make: (name: string) => string) => fields.map(make).join("&");

/** Bodies that try to make the parser build something large, deep or slow. */
const hostile: Record<string, [type: string, body: string]> = {
  "a huge index": [encoded, each((name) => `${name}[4294967294]=1`)],
  "an index of a million": [encoded, each((name) => `${name}[1000000]=1`)],
  "20,000 equal names": [encoded, "email&".repeat(20_000)],
  "20,000 names": [encoded, Array.from({ length: 20_000 }, (_, i) => `f${i}=1`).join("&")],
  "deep nesting": [encoded, each((name) => `${name}${".b[0]".repeat(1_000)}=1`)],
  "nesting within bounds": [encoded, each((name) => `${name}.a.b.c[0].d[0][0]=1&${name}=2`)],
  "a name of 10 kB": [encoded, `${"n".repeat(10_000)}=1`],
  prototypes: [encoded, "__proto__.polluted=1&constructor.prototype.polluted=1&__proto__[polluted]=1&email.__proto__.polluted=1"],
  "broken escapes": [encoded, "email=%&%E0%A4=%C3%28&%00=%00"],
  "10,000 parts": [multipart, `${'--x\r\ncontent-disposition: form-data; name="email"\r\n\r\n1\r\n'.repeat(10_000)}--x--\r\n`],
  "a part's endless head": [multipart, `--x\r\ncontent-disposition: form-data; name="email"; ${"a".repeat(20_000)}\r\n\r\n1\r\n--x--\r\n`],
  "files instead of texts": [
    multipart,
    `${fields.map((name) => `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n1\r\n`).join("")}--x--\r\n`,
  ],
  "a multipart form without an end": [multipart, '--x\r\ncontent-disposition: form-data; name="email"\r\n\r\n1'],
  "a multipart form without a boundary": ["multipart/form-data", "--x--"],
  "no form": ["application/json", "{}"],
  "nothing at all": [encoded, ""],
};

/** Bodies that reach a query. The others are refused before, which doesn't depend on the engine. */
const reachQueries = ["nesting within bounds", "broken escapes", "files instead of texts"];
const kinds = Object.keys(hostile).filter((kind) => inject("engine") === "sqlite" || reachQueries.includes(kind));

/** Bytes. A page with a form has about 60 kB. */
const longestAnswer = 300_000;

const paths = await actionPaths();

describe("no form stops the site", () => {
  let world: World;
  let web: Hono<Web>;
  beforeAll(async () => {
    world = await openWorld();
    web = openWeb(world);
  });
  afterAll(() => world.close());

  const post = async (path: string, [type, body]: [string, string], cookie = "") => {
    const answer = await web.request(path, {
      method: "POST",
      body,
      headers: { origin: "http://inkstead.test", "content-type": type, cookie },
    });
    return { path, status: answer.status, isShort: (await answer.text()).length < longestAnswer };
  };
  const expectUnharmed = (answers: Awaited<ReturnType<typeof post>>[]) => {
    expect(answers.filter(({ status, isShort }) => status >= 500 || !isShort)).toEqual([]);
    expect({}).not.toHaveProperty("polluted");
  };

  test("finds the routes that take forms", () => {
    expect(paths).toEqual(expect.arrayContaining(["/login", "/add-post", "/admin/settings", "/post/night-bus/react"]));
  });

  test.each(kinds)("%s, from a visitor", async (kind) => {
    const form = hostile[kind] as [string, string];
    expectUnharmed(await fewAtATime(paths, (path) => post(path, form)));
  });

  test.each(kinds)("%s, from an administrator", async (kind) => {
    const form = hostile[kind] as [string, string];
    const { cookie } = await signIn(world, world.ruth);
    // This ends the session.
    const inside = paths.filter((path) => path !== "/logout");
    expectUnharmed(await fewAtATime(inside, (path) => post(path, form, cookie)));
  });

  test("100,000 parts in an upload form", async () => {
    const parts = '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\n1\r\n'.repeat(100_000);
    const { cookie } = await signIn(world, world.maren);
    expect(await post("/add-post", [multipart, `${parts}--x--\r\n`], cookie)).toMatchObject({ status: 413 });
  });

  test("an account's form takes 16 kB and 50 fields", async () => {
    const size = (bytes: number): [string, string] => [encoded, `email=${"a".repeat(bytes - 6)}`];
    expect(await post("/login", size(16 * 1024))).toMatchObject({ status: 422 });
    expect(await post("/login", size(16 * 1024 + 1))).toMatchObject({ status: 413 });
    expect(await post("/login", [encoded, "a&".repeat(50)])).toMatchObject({ status: 422 });
    expect(await post("/login", [encoded, "a&".repeat(51)])).toMatchObject({ status: 413 });
  });

  test("returns only the form's own fields", async () => {
    const body = "email=hazel%40&email=other&email[0]=list&extra=sent-along&password=not-this";
    const answer = await web.request("/login.data", {
      method: "POST",
      body,
      headers: { origin: "http://inkstead.test", "content-type": encoded },
    });
    const text = await answer.text();
    expect(text).toContain("hazel@");
    for (const sent of ["other", "list", "extra", "sent-along", "not-this"]) expect(text).not.toContain(sent);
  });
});

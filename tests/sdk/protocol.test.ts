import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { everySdk, failure, type OpenApi, openApi, stubBrowser } from "./api.ts";

let api: OpenApi;
beforeEach(async () => {
  stubBrowser();
  api = await openApi({
    api: { project: "inkstead", database: "main", bucket: "files", collections: {}, origins: ["https://app.example.org"] },
  });
});
afterEach(() => api.close());

const request = (path: string, init: RequestInit = {}) =>
  fetch(`${api.endpoint}${path}`, { ...init, headers: { "x-appwrite-project": "inkstead", ...init.headers } });
const post = (path: string, body: string, headers = {}) =>
  request(path, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

describe.each(everySdk)("every call with %s", (name) => {
  test("1 and 2 ping returns Pong!", async () => {
    const { client } = await api.connect(name);
    expect(await client.ping()).toEqual(expect.objectContaining({ message: "Pong!" }));
  });
  test("6 an error has message, code, type and the response", async () => {
    const { account } = await api.connect(name);
    const error = await failure(() => account.get());
    const { message, code, type } = error;
    expect(JSON.parse(error.response)).toEqual({ message, code, type, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });
  test("7 a deletion has an empty response", async () => {
    const { account } = await api.connect(name, api.world.maren);
    expect(await account.deleteSessions()).toEqual({ message: "" });
  });
  test("8 an unknown project is 404", async () => {
    const { client, account } = await api.connect(name);
    client.setProject("other");
    expect(await failure(() => account.get())).toMatchObject({ code: 404, type: "project_not_found" });
  });
});

describe("pages of other sites", () => {
  const origin = "https://app.example.org";
  test("3 may send preflight requests", async () => {
    const wanted = { "access-control-request-method": "PATCH", "access-control-request-headers": "x-appwrite-project" };
    const response = await request("/account/name", { method: "OPTIONS", headers: { origin, ...wanted } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, POST, PUT, PATCH, DELETE");
    const headers = response.headers.get("access-control-allow-headers")?.toLowerCase();
    for (const header of ["x-appwrite-project", "x-fallback-cookies", "content-range", "x-appwrite-id", "x-sdk-version", "authorization"])
      expect(headers).toContain(header);
  });
  test("4 and 5 can read errors and the session", async () => {
    const response = await request("/account", { headers: { origin } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
    expect(response.headers.get("access-control-expose-headers")).toContain("X-Fallback-Cookies");
    expect(response.headers.get("vary")).toContain("origin");
  });
  test("14 that aren't registered can change and read nothing", async () => {
    const refused = await post("/account/sessions/email", "{}", { origin: "https://evil.example" });
    expect([refused.status, (await refused.json()).type]).toEqual([403, "general_unknown_origin"]);
    for (const place of ["cross-site", "same-site"])
      expect((await post("/account/sessions/email", "{}", { "sec-fetch-site": place })).status).toBe(403);
    const read = await request("/ping", { headers: { origin: "https://evil.example" } });
    expect(read.headers.get("access-control-allow-origin")).toBeNull();
    for (const from of ["null", "https://app.example.org.evil.example", "http://app.example.org"])
      expect((await post("/account/sessions/email", "{}", { origin: from })).status).toBe(403);
    expect((await post("/account/sessions/email", "{}")).status).toBe(400);
  });
});

test("9 an unknown route is 404", async () => {
  const response = await request("/nothing/here");
  expect([response.status, (await response.json()).type]).toEqual([404, "general_route_not_found"]);
});

test("10 an empty body and null count as absent", async () => {
  const response = await post("/account", JSON.stringify({ userId: "unique()", email: null, password: "12345678" }));
  expect(await response.json()).toMatchObject({ code: 400, message: 'Param "email" is not optional.' });
});

test("15 invalid sessions count as none", async () => {
  for (const garbage of ["[]", "{", "null", '{"a_session_inkstead":5}', '{"a_session_inkstead":"e30="}', "\u00ff"]) {
    const response = await request("/account", { headers: { "x-fallback-cookies": garbage } });
    expect([garbage, response.status]).toEqual([garbage, 401]);
  }
});

test("a body that isn't an object is 400", async () => {
  for (const body of ["[]", "{", "5", '"a"', "null", "\u0000", '{"email":']) {
    const response = await post("/account", body);
    expect([body, response.status, (await response.json()).type]).toEqual([body, 400, "general_argument_invalid"]);
  }
});

test("the OpenAPI description has every operation and the site's current name", async () => {
  const read = async () => (await fetch(`${api.endpoint}/openapi.json`)).json();
  const description = await read();
  await saveSettings(api.world.site, api.world.ruth, { siteName: "Night Bus" });
  expect((await read()).info.title).toBe("Night Bus API");
  expect(description.openapi).toBe("3.1.0");
  expect(description.paths["/account"].post.requestBody.content["application/json"].schema.required).toEqual([
    "userId",
    "email",
    "password",
  ]);
  const described = Object.keys(description.paths);
  expect(described).toContain("/databases/main/collections/posts/documents");
  expect(described.filter((path) => path.startsWith("/tablesdb"))).toEqual([]);
});

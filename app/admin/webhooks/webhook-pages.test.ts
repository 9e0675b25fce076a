import type { Hono } from "hono";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listWebhooks } from "#domain/webhooks/webhooks.server.ts";
import type { Web } from "#server/http.ts";
import { openPage, textOf } from "../../../tests/support/pages.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { signIn } from "../../../tests/support/world.ts";
import { openWebhookWorld, type WebhookWorld } from "../../../tests/webhooks/world.ts";

let tools: WebhookWorld;
let web: Hono<Web>;
let cookie: string;
beforeEach(async () => {
  tools = await openWebhookWorld();
  web = openWeb(tools.world);
  ({ cookie } = await signIn(tools.world, tools.world.ruth, { reauthenticated: true }));
});
afterEach(() => tools.close());

const list = "/admin/webhooks";
const shown = async (path: string) => (await openPage(tools.world, path, { cookie })).text;
const post = (path: string, fields: [string, string][]) => {
  const { headers } = formPost({}, { cookie });
  return web.request(path, { method: "POST", body: new URLSearchParams(fields), headers: headers ?? {} });
};
const toastOf = (answer: Response) => decodeURIComponent(answer.headers.getSetCookie().join());

test("without JavaScript a webhook is added, shows its secret once, is tested and deleted", async () => {
  const { receiver, settled, world } = tools;
  expect(await shown(list)).toContain("No webhooks yet");
  const added = await post(`${list}/new`, [
    ["do", "save"],
    ["address", receiver.address],
    ["events", "post.published"],
    ["events", "member.joined"],
  ]);
  expect(added.headers.get("cache-control")).toContain("no-store");
  const answer = await added.text();
  const secret = /whsec_[\w+/=]+/.exec(answer)?.[0] ?? "";
  expect(secret.length).toBeGreaterThan(30);
  const [{ id } = { id: "" }] = await listWebhooks(world.site, world.ruth);
  expect(answer).toContain(`href="${list}/${id}"`);
  expect(await shown(list)).toContain("Story published, Member joined");

  expect(toastOf(await post(`${list}/${id}`, [["do", "test"]]))).toContain("The test event is on its way.");
  await settled();
  const page = await shown(`${list}/${id}`);
  expect(page).toMatch(/webhook\.test Delivered Just now · 204 · 1 try/);
  expect(page).not.toContain(secret);

  const number = String((await tools.log(id))[0]?.number);
  const again = await post(`${list}/${id}`, [
    ["do", "again"],
    ["number", number],
  ]);
  expect(toastOf(again)).toContain("The event will be sent again.");
  await settled();
  expect(receiver.received).toHaveLength(2);

  expect(textOf(await (await post(`${list}/${id}`, [["do", "delete"]])).text())).toContain("Delete this webhook?");
  const deleted = await post(`${list}/${id}`, [
    ["do", "delete"],
    ["confirmed", "yes"],
  ]);
  expect(deleted.headers.get("location")).toBe(list);
  expect(await shown(list)).toContain("No webhooks yet");
});

test("errors show at their fields, with what was typed", async () => {
  const answer = await post(`${list}/new`, [
    ["do", "save"],
    ["address", "ftp://hooks.example.com"],
  ]);
  expect(answer.status).toBe(422);
  const page = await answer.text();
  expect(page).toContain("Enter an address that begins with https://");
  expect(page).toContain("Choose at least one event");
  expect(page).toContain('value="ftp://hooks.example.com"');
});

test("changes events, turns off and on, and renews the secret", async () => {
  const { receiver, world } = tools;
  const { id } = await tools.add();
  const saved = await post(`${list}/${id}`, [
    ["do", "save"],
    ["address", receiver.address],
    ["events", "report.created"],
  ]);
  expect(toastOf(saved)).toContain("The webhook has been saved.");
  await post(`${list}/${id}`, [["do", "off"]]);
  expect(await listWebhooks(world.site, world.ruth)).toMatchObject([{ events: ["report.created"], offAt: world.site.now() }]);
  expect(await shown(`${list}/${id}`)).toContain("Turn on");
  await post(`${list}/${id}`, [["do", "on"]]);
  expect(await listWebhooks(world.site, world.ruth)).toMatchObject([{ offAt: null }]);
  const renewed = await post(`${list}/${id}`, [
    ["do", "secret"],
    ["confirmed", "yes"],
  ]);
  expect(await renewed.text()).toContain("whsec_");
});

test("a change by someone else shows in the form, which keeps what was typed", async () => {
  const { receiver, world } = tools;
  const { id } = await tools.add(["post.hidden"]);
  const shownIn = (page: string) => (/name="shown" value="([^"]*)"/.exec(page)?.[1] ?? "").replaceAll("&quot;", '"');
  const save = async (event: string, shown: string) => {
    const fields: [string, string][] = [
      ["do", "save"],
      ["address", receiver.address],
      ["events", event],
      ["shown", shown],
    ];
    return post(`${list}/${id}`, fields);
  };
  const first = shownIn(await (await web.request(`${list}/${id}`, { headers: { cookie } })).text());
  expect((await save("member.joined", first)).status).toBe(302);
  const refused = await save("report.created", first);
  expect(refused.status).toBe(409);
  const page = await refused.text();
  expect(textOf(page)).toContain("(Member joined). Save again to replace it with yours.");
  expect((await save("report.created", shownIn(page))).status).toBe(302);
  expect(await listWebhooks(world.site, world.ruth)).toMatchObject([{ events: ["report.created"] }]);
});

test("changes need the password, and others get no answer", async () => {
  const { world, add } = tools;
  const { id } = await add();
  ({ cookie } = await signIn(world, world.ruth));
  const response = await post(`${list}/${id}`, [
    ["do", "delete"],
    ["confirmed", "yes"],
  ]);
  expect([response.status, textOf(await response.text())]).toEqual([403, expect.stringContaining("Confirm it’s you")]);
  ({ cookie } = await signIn(world, world.maren));
  expect((await web.request(list, { headers: { cookie } })).status).toBe(302);
  expect((await post(`${list}/${id}`, [["do", "test"]])).status).toBe(302);
  expect(await listWebhooks(world.site, world.ruth)).toHaveLength(1);
});

test("an unknown webhook is not found", async () => {
  expect((await web.request(`${list}/none`, { headers: { cookie } })).status).toBe(404);
});

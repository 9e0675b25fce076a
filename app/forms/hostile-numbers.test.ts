import { afterEach, beforeEach, expect, test } from "vitest";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { addWebhook, listWebhooks } from "#domain/webhooks/webhooks.server.ts";
import { addPost } from "../../tests/support/posts.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
});
afterEach(() => world.close());

const numbers = [
  "1e30",
  "-7.78e+126",
  "1.5",
  "-1",
  "18446744073709552000",
  "9007199254740993",
  "9999999999",
  "2147483648",
  "0x7f",
  "NaN",
  "",
];

test("a number too large for a column is refused without a server error", async () => {
  const { site, maren, tobias, ruth } = world;
  await addPost(world, maren, { id: "moor", title: "The Moor" });
  await sendMessage(site, maren, { to: tobias.id, text: "Hello", sendId: "one" });
  await addWebhook(site, { ...ruth, isReauthenticated: true }, { address: "https://hooks.example.com/", events: ["post.published"] });
  const [webhook] = await listWebhooks(site, { ...ruth, isReauthenticated: true });
  const asMaren = (await signIn(world, maren)).cookie;
  const asRuth = (await signIn(world, ruth, { reauthenticated: true })).cookie;

  const requestsWith = (number: string): [path: string, cookie: string, fields?: Record<string, string>][] => {
    const named = encodeURIComponent(number);
    return [
      [`/messages/${tobias.id}?before=${named}`, asMaren],
      ...["before", "after"].map((name): [string, string] => [`/messages/${tobias.id}/history?${name}=${named}`, asMaren]),
      [`/messages/${tobias.id}/history?q=hello&before=${named}`, asMaren],
      [`/messages/${tobias.id}/change`, asMaren, { change: "read", value: number }],
      ["/notifications", asMaren, { do: "all", until: number }],
      ["/notifications/devices", asMaren, { remove: number }],
      ["/edit-post/moor", asMaren, { title: "The Moor", content: "Wide", version: number, draftId: "0123456789abcdef", draftBase: number }],
      [`/admin/posts?page=${named}&from=moor&fromPage=${named}`, asRuth],
      [`/admin/analytics?days=${named}`, asRuth],
      [`/admin/webhooks/${webhook?.id}`, asRuth, { do: "again", number }],
    ];
  };
  const failed: string[] = [];
  for (const number of numbers)
    for (const [path, cookie, fields] of requestsWith(number)) {
      const answer = await web.request(path, fields ? formPost(fields, { cookie }) : { headers: { cookie } });
      if (answer.status >= 500) failed.push(`${path} ${JSON.stringify(fields ?? {})}: ${answer.status}`);
    }
  expect(failed).toEqual([]);
});

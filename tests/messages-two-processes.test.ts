import { afterEach, beforeEach, expect, test } from "vitest";
import type { Member } from "#domain/site.ts";
import { openMessenger } from "./faults/messenger.ts";
import { addMember, signIn } from "./support/members.ts";
import type { RunningServer } from "./support/process.ts";
import { startTwoServers, type TwoServers } from "./support/two-servers.ts";

let servers: TwoServers;
beforeEach(async () => {
  servers = await startTwoServers();
});
afterEach(() => servers?.close());

test("messages, typing, presence and read marks pass between processes", async () => {
  const { first, second, site } = servers;
  const [ada, bert] = [await addMember({ site }, "Ada Anders"), await addMember({ site }, "Bert Berger")];
  const open = async (person: Member, partner: Member, server: RunningServer) => {
    const { cookie } = await signIn({ site }, person);
    return openMessenger({ url: server.url, cookie, personId: person.id, partnerId: partner.id });
  };
  const [here, there] = [await open(ada, bert, first), await open(bert, ada, second)];

  await here.send("Across the wire");
  await expect.poll(() => there.texts()).toEqual(["Across the wire"]);
  await there.send("And back");
  await expect.poll(() => here.texts()).toEqual(["Across the wire", "And back"]);

  await here.watch();
  await expect.poll(() => here.broadcasts()).toContain("online");
  there.typing();
  await expect.poll(() => here.broadcasts()).toContain("typing");
  await there.read(2);
  await expect.poll(() => here.partnerRead()).toBeGreaterThan(0);

  // Killed, so that it closes no connection; clients reconnect to the other process.
  await second.kill();
  const again = await open(bert, ada, first);
  await here.send("Still there?");
  await expect.poll(() => again.texts()).toEqual(["Across the wire", "And back", "Still there?"]);
  for (const each of [here, there, again]) each.close();
});

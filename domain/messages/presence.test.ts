import { afterEach, expect, test } from "vitest";
import { type Broadcast, Broadcasts } from "#platform/events/events.ts";
import { createLog } from "#platform/log.ts";
import { Presence, type PresenceOptions, presenceTopic } from "./presence.server.ts";

/** Processes connected as by NOTIFY; `cut` ones neither send nor receive, and broadcasts of type `lost` get lost. */
class Wire extends Broadcasts {
  cut = false;
  lost = "";
  readonly #all: Wire[];

  constructor(all: Wire[]) {
    super({} as never, "sqlite", createLog("silent"));
    this.#all = all;
    all.push(this);
  }

  override send(broadcast: Broadcast): void {
    if (this.cut || broadcast.type === this.lost) return;
    for (const each of this.#all) if (!each.cut) each.deliver(JSON.parse(JSON.stringify(broadcast)));
  }
}

const opened: Presence[] = [];
afterEach(() => {
  for (const presence of opened.splice(0)) presence.close();
});

function start(wires: Wire[], options: Partial<PresenceOptions> = {}) {
  const wire = new Wire(wires);
  const presence = new Presence(wire, { heartbeatMs: 20, processTimeoutMs: 100, lingerMs: 30, ...options });
  opened.push(presence);
  return { wire, presence };
}

test("every process knows who is online, and subscribers get changes", async () => {
  const wires: Wire[] = [];
  const [one, two] = [start(wires), start(wires)];
  const seen: string[] = [];
  two.wire.subscribe(presenceTopic("ada"), ({ type }) => seen.push(type));
  const goOffline = one.presence.enter("ada");
  const goOfflineElsewhere = two.presence.enter("ada");
  expect([one.presence.isOnline("ada"), two.presence.isOnline("ada"), one.presence.isOnline("bert")]).toEqual([true, true, false]);
  goOffline();
  await expect.poll(() => one.presence.isOnline("ada")).toBe(true);
  goOfflineElsewhere();
  goOfflineElsewhere();
  await expect.poll(() => [one.presence.isOnline("ada"), two.presence.isOnline("ada")]).toEqual([false, false]);
  expect(seen.at(-1)).toBe("offline");
});

test("a reload doesn't count as offline", async () => {
  const { presence, wire } = start([]);
  const seen: string[] = [];
  wire.subscribe(presenceTopic("ada"), ({ type }) => seen.push(type));
  presence.enter("ada")();
  presence.enter("ada");
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect([presence.isOnline("ada"), seen.includes("offline")]).toEqual([true, false]);
});

test("a new process learns who is online", () => {
  const wires: Wire[] = [];
  const one = start(wires);
  for (let index = 0; index < 400; index++) one.presence.enter(`person-${index}`);
  const two = start(wires);
  expect([two.presence.isOnline("person-0"), two.presence.isOnline("person-399")]).toEqual([true, true]);
});

test("a killed process and its members time out; a closed one is removed at once", async () => {
  const wires: Wire[] = [];
  const [one, two, three] = [start(wires), start(wires), start(wires)];
  two.presence.enter("ada");
  three.presence.enter("bert");
  expect([one.presence.isOnline("ada"), one.presence.isOnline("bert")]).toEqual([true, true]);
  three.presence.close();
  expect(one.presence.isOnline("bert")).toBe(false);
  two.wire.cut = true;
  await expect.poll(() => one.presence.isOnline("ada")).toBe(false);
});

test("two separated processes find each other again", async () => {
  const wires: Wire[] = [];
  const [one, two] = [start(wires), start(wires)];
  one.presence.enter("ada");
  two.presence.enter("bert");
  two.wire.cut = true;
  await expect.poll(() => one.presence.isOnline("bert")).toBe(false);
  two.wire.cut = false;
  two.wire.opened();
  await expect.poll(() => [one.presence.isOnline("bert"), two.presence.isOnline("ada")]).toEqual([true, true]);
});

test("a lost broadcast of who came or went is made up for", async () => {
  const wires: Wire[] = [];
  const [one, two] = [start(wires, { processTimeoutMs: 60_000 }), start(wires, { processTimeoutMs: 60_000 })];
  one.presence.enter("ada");
  one.wire.lost = "came";
  const goOffline = one.presence.enter("bert");
  one.wire.lost = "";
  expect(two.presence.isOnline("bert")).toBe(false);
  await expect.poll(() => two.presence.isOnline("bert")).toBe(true);
  one.wire.lost = "went";
  goOffline();
  await expect.poll(() => [two.presence.isOnline("ada"), two.presence.isOnline("bert")], { timeout: 10_000 }).toEqual([true, false]);
});

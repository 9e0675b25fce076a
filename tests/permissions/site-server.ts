import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { LiveRequest, LiveResponse } from "#domain/live.ts";
import type { Site } from "#domain/site.ts";
import type { Web } from "#server/http.ts";
import { SocketCounter } from "#server/limits/sockets.ts";
import { serverOptions } from "#server/listen.ts";
import { openLive } from "#server/live/live.ts";
import { openSockets } from "#server/sockets.ts";
import { openRealtime, realtimePath } from "#server/v1/realtime/realtime.ts";
import { openWeb } from "../support/web.ts";

/** A site on a port with both sockets, as in `server/main.ts`. */
export type SiteServer = { origin: string; web: Hono<Web>; close(): Promise<void> };

/** A form's fields, with a file where one is sent. */
export type Fields = Record<string, string | File>;

const limitFactor = 1000;

export async function openSiteServer(world: { site: Site }): Promise<SiteServer> {
  const web = openWeb(world, { limitFactor });
  const counter = new SocketCounter({}, limitFactor);
  const endpoints = [openLive(world.site), openRealtime(world.site)];
  const sockets = openSockets(world.site, { counter, countUpgrade: () => undefined, endpoints });
  const server: Server = createServer(serverOptions, getRequestListener(web.fetch));
  server.on("upgrade", sockets.upgrade);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    web,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      sockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Multipart for a form with a file, otherwise URL-encoded. */
export function bodyOf(fields: Fields): FormData | URLSearchParams {
  const isPlain = Object.values(fields).every((value) => typeof value === "string");
  if (isPlain) return new URLSearchParams(fields as Record<string, string>);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** A socket that records every frame. `opened` is false after a refused upgrade. */
export type Tab<Frame> = { frames: Frame[]; opened: boolean; say(frame: object): void; close(): void };

/** A refused upgrade must be 401, 403, 429 or 503; anything else is an error. */
export async function openTab<Frame>(url: string, headers: Record<string, string>): Promise<Tab<Frame>> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
  const frames: Frame[] = [];
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Frame));
  const tab: Tab<Frame> = {
    frames,
    opened: false,
    say: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.terminate(),
  };
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => {
      tab.opened = true;
      resolve();
    });
    socket.once("error", (error) => (/Unexpected server response: (403|503)/.test(error.message) ? resolve() : reject(error)));
  });
  return tab;
}

/**
 * Subscribes to a topic of `/live` and to a public one, and runs `act` on the first, then an action on the second. @returns whether the
 * first event arrived; the response to the subscription must agree.
 */
export async function receivesLive(
  { origin, headers, site }: { origin: string; headers: Record<string, string>; site: Site },
  topic: string,
  act: (() => Promise<unknown>) | undefined,
  publishMarker: () => Promise<string>,
): Promise<boolean> {
  const tab = await openTab<LiveResponse>(`${origin}/live`, { origin: site.url, ...headers });
  if (!tab.opened) return false;
  try {
    tab.say({ subscribe: [topic, "profiles"] } satisfies LiveRequest);
    const answered = () =>
      tab.frames.flatMap((frame) => ("subscribed" in frame ? frame.subscribed : "refused" in frame ? frame.refused : []));
    await expect.poll(() => answered().toSorted()).toEqual([topic, "profiles"].toSorted());
    const isSubscribed = tab.frames.some((frame) => "subscribed" in frame && frame.subscribed.includes(topic));
    if (!act) return isSubscribed;
    await act();
    const last = await publishMarker();
    const events = () => tab.frames.flatMap((frame) => ("event" in frame ? [frame.event] : []));
    // Events of the case before come first.
    await expect.poll(() => events().some(({ data }) => "name" in data && data.name === last)).toBe(true);
    expect(events().some((event) => event.topic === topic)).toBe(isSubscribed);
    return isSubscribed;
  } finally {
    tab.close();
  }
}

type Event = { type: string; data: { events?: string[]; payload?: { userName?: string } } };

/** `receivesLive` for the API's socket: `act` returns the id of its object; without it, only the subscription is tested. */
export async function receivesRealtime(
  { origin, headers }: { origin: string; headers: Record<string, string> },
  act: (() => Promise<string>) | undefined,
  publishMarker: () => Promise<string>,
): Promise<boolean> {
  const channels = ["documents", "files", "account"].map((channel) => `&channels%5B%5D=${channel}`).join("");
  const tab = await openTab<Event>(`${origin}${realtimePath}?project=inkstead${channels}`, headers);
  try {
    await expect.poll(() => tab.frames[0]?.type).toMatch(/connected|error/);
    if (tab.frames[0]?.type === "error" || !act) return tab.frames[0]?.type === "connected";
    const id = await act();
    const last = await publishMarker();
    await expect.poll(() => tab.frames.some(({ data }) => data.payload?.userName === last)).toBe(true);
    return tab.frames.some(({ data }) => data.events?.[0]?.includes(`.${id}.`));
  } finally {
    tab.close();
  }
}

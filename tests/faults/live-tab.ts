import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { LiveEvent, LiveResponse } from "#domain/live.ts";
import type { RunningServer } from "../support/process.ts";

/** A visitor's tab subscribed to `posts`; `after` is the last event it has seen. */
export async function openTab({ url }: RunningServer, after?: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/live`, { headers: { origin: url } });
  const received: LiveResponse[] = [];
  socket.on("message", (data) => received.push(JSON.parse(String(data)) as LiveResponse));
  const closed = once(socket, "close") as Promise<[number]>;
  await once(socket, "open");
  socket.send(JSON.stringify({ subscribe: ["posts"], after }));
  await expect.poll(() => received.length).toBeGreaterThan(0);
  const events = () => received.flatMap((answer): LiveEvent[] => ("event" in answer ? [answer.event] : []));
  return { socket, closed, events, types: () => events().map(({ type }) => type) };
}

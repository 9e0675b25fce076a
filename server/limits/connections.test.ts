import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openRaw, requestHead } from "../../tests/attack/raw-http.ts";
import { serverOptions } from "../listen.ts";
import { limitConnections } from "./connections.ts";
import { SocketCounter } from "./sockets.ts";

let server: Server;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(limits: Partial<Parameters<typeof limitConnections>[1]>, options: object = {}): Promise<string> {
  server = createServer({ ...serverOptions, ...options });
  limitConnections(server, { isProxy: () => false, ...limits });
  server.on("request", (request, response) => request.resume().on("end", () => response.end("thanks")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("ends a slow body", async () => {
  const connection = await openRaw(await listen({ bodyTimeoutMs: 200, bodyPace: 1_000_000 }));
  connection.send(requestHead("POST", "/", { "content-length": "1000" }));
  const dripping = setInterval(() => connection.send("x"), 50);
  expect(await connection.everything()).not.toContain("thanks");
  clearInterval(dripping);
});

test("gives a large body time for a slow line", async () => {
  const connection = await openRaw(await listen({ bodyTimeoutMs: 1, bodyPace: 1 }));
  connection.send(requestHead("POST", "/", { "content-length": "60", connection: "close" }));
  for (let i = 0; i < 6; i++) {
    connection.send("x".repeat(10));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await connection.status()).toBe(200);
});

test("ends slow headers", async () => {
  const connection = await openRaw(await listen({}, { headersTimeout: 200, connectionsCheckingInterval: 50 }));
  connection.send("GET / HTTP/1.1\r\nhost: localhost\r\n");
  expect(await connection.status()).toBe(408);
});

test("refuses headers beyond 16 kB", async () => {
  const connection = await openRaw(await listen({}));
  connection.send(requestHead("GET", "/", { "x-long": "a".repeat(20_000) }));
  expect(await connection.status()).toBe(431);
});

test("limits connections by address, except for proxies", async () => {
  const url = await listen({ factor: 0.003 });
  const opened = await Promise.all([openRaw(url), openRaw(url), openRaw(url)]);
  const surplus = await openRaw(url);
  expect(await surplus.everything()).toBe("");
  opened[0]?.send(requestHead("GET", "/", { connection: "close" }));
  expect(await opened[0]?.status()).toBe(200);
  for (const each of opened) each.close();
  server.close();

  const behind = await listen({ factor: 0, isProxy: () => true });
  const proxied = await openRaw(behind);
  proxied.send(requestHead("GET", "/", { connection: "close" }));
  expect(await proxied.status()).toBe(200);
});

test("both kinds of sockets share one counter", () => {
  const counter = new SocketCounter({ perNetwork: 3, visitingProgramsPerNetwork: 1, perAccount: 2, inAll: 5 });
  const enter = (address: string) => {
    const place = counter.enter(address);
    return typeof place === "number" ? { status: place } : place;
  };
  /** As a client of the API that shows no session. */
  const visit = (address: string) => {
    const place = enter(address);
    return { place, isIn: "visit" in place && place.visit() };
  };
  const { place: first, isIn } = visit("203.0.113.5");
  expect(isIn).toBe(true);
  expect(visit("203.0.113.5").isIn).toBe(false);
  expect(enter("203.0.113.5")).not.toHaveProperty("status");
  expect(enter("203.0.113.5")).toEqual({ status: 429 });
  // The customers of one IPv6 network are one.
  expect(visit("2001:db8::1").isIn).toBe(true);
  const second = visit("2001:db8::2");
  expect(second.isIn).toBe(false);
  if ("leave" in second.place) second.place.leave();
  const others = [enter("198.51.100.1")];
  expect(enter("198.51.100.2")).toEqual({ status: 503 });
  if ("leave" in first) first.leave();
  others.push(enter("198.51.100.2"));
  const accounts = others.map((place) => ("belongTo" in place ? place.belongTo("maren") : undefined));
  expect(accounts).toEqual([true, true]);
  const third = enter("203.0.113.5");
  expect(third).toEqual({ status: 503 });
});

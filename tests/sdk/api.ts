import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import * as newest from "appwrite";
import * as eighteen from "appwrite-18";
import * as server from "node-appwrite";
import { inject, vi } from "vitest";
import type { Member } from "#domain/site.ts";
import type { Config } from "#platform/config.ts";
import { newId } from "#platform/ids.ts";
import { serverOptions } from "#server/listen.ts";
import { openSockets } from "#server/sockets.ts";
import { sessionValue } from "#server/v1/caller.ts";
import { openRealtime } from "#server/v1/realtime/realtime.ts";
import { createWeb } from "#server/web.ts";
import { openWorld, type World } from "../support/world.ts";

/** The published official clients. Their methods agree in names and positional arguments. */
export type Sdk = typeof eighteen;
export type SdkName = keyof typeof sdks;
export const sdks = {
  "appwrite 18.2.0": eighteen,
  "appwrite 27.0.0": newest as unknown as Sdk,
  "node-appwrite 27.1.0": server as unknown as Sdk,
};
const newestName = "appwrite 27.0.0";
/** One on PostgreSQL: a client's requests don't depend on the engine, and SQLite tests all of them. */
const onThisEngine = <Name extends SdkName>(names: Name[]) =>
  inject("engine") === "postgres" ? names.filter((name) => name === newestName) : names;
/** Browser clients. */
export const webSdks = onThisEngine(["appwrite 18.2.0", newestName]);
export const everySdk = onThisEngine(Object.keys(sdks) as SdkName[]);

export const ids = { database: "main", bucket: "files", project: "inkstead" };

/** A world on a port. */
export type OpenApi = {
  world: World;
  endpoint: string;
  /** A signed-in client, or a visitor's. */
  connect(sdk: SdkName, who?: Member): Promise<Connection>;
  /** A client's session value. */
  signIn(who: Member): Promise<string>;
  /** Ends every socket, as a stopping server or a broken connection does. */
  disconnect(how: "stops" | "breaks"): void;
  close(): Promise<void>;
};

export type Connection = {
  sdk: Sdk;
  client: InstanceType<Sdk["Client"]>;
  account: InstanceType<Sdk["Account"]>;
  databases: InstanceType<Sdk["Databases"]>;
  storage: InstanceType<Sdk["Storage"]>;
};

/** Close it in `afterEach`. */
export async function openApi(chosen: Partial<Config> = {}): Promise<OpenApi> {
  const listener = createServer(serverOptions).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const siteUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const world = await openWorld({ siteUrl, ...chosen });
  const web = createWeb({
    site: world.site,
    build: () => Promise.reject(new Error("no pages here")),
    dev: true,
    limitFactor: 1000,
    ...(chosen.api && { api: chosen.api }),
  });
  listener.on("request", getRequestListener(web.fetch));
  const openEndpoint = () => openSockets(world.site, { countUpgrade: () => undefined, endpoints: [openRealtime(world.site, chosen.api)] });
  let realtime = openEndpoint();
  const sockets = new Set<Duplex>();
  listener.on("upgrade", (request, socket, head) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    realtime.upgrade(request, socket, head);
  });
  const endpoint = `${siteUrl}/v1`;

  const signIn: OpenApi["signIn"] = async (who) => {
    const token = randomBytes(24).toString("base64url");
    const [now, until] = [0, 86_400_000].map((later) => new Date(world.site.now() + later).toISOString());
    const dates = { createdAt: now ?? "", updatedAt: now ?? "", expiresAt: until ?? "" };
    const row = { id: newId(world.site.now()), userId: who.id, token, ipAddress: null, userAgent: null, ...dates };
    await world.site.db.insertInto("sessions").values(row).execute();
    return sessionValue(world.site, who.id, token);
  };

  return {
    world,
    endpoint,
    signIn,
    async connect(name, who) {
      const sdk = sdks[name];
      const client = new sdk.Client().setEndpoint(endpoint).setProject(ids.project);
      if (who) client.setSession(await signIn(who));
      const services = { account: new sdk.Account(client), databases: new sdk.Databases(client), storage: new sdk.Storage(client) };
      return { sdk, client, ...services };
    },
    disconnect(how) {
      if (how === "breaks") for (const socket of sockets) socket.destroy();
      realtime.close();
      realtime = openEndpoint();
    },
    async close() {
      realtime.close();
      listener.closeAllConnections();
      listener.close();
      vi.unstubAllGlobals();
      await world.close();
    },
  };
}

/** Browser globals that the clients use, until the api is closed: other test files share this process. */
export function stubBrowser(): void {
  const items = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  };
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("localStorage", localStorage);
}

/** Sends an `Origin` header from now on. @returns a function that stops it. */
export function sendOrigin(origin: string): () => void {
  const originalFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("origin", origin);
    return originalFetch(input, { ...init, headers });
  };
  return () => {
    globalThis.fetch = originalFetch;
  };
}

/** The error that a client throws. */
export async function failure(work: () => Promise<unknown>): Promise<{ code: number; type: string; message: string; response: string }> {
  try {
    await work();
  } catch (error) {
    const { code, type, message, response } = error as { code: number; type: string; message: string; response: string };
    return { code, type, message, response };
  }
  throw new Error("The client reported no error.");
}

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
import { openRealtime } from "#server/v1/realtime/realtime.ts";
import { sessionValue } from "#server/v1/sessions.ts";
import { createWeb } from "#server/web.ts";
import { openWorld, type World } from "../support/world.ts";

/** The official clients as they are published. Their methods have the same names and, by position, the same arguments. */
export type Sdk = typeof eighteen;
export type SdkName = keyof typeof sdks;
export const sdks = {
  "appwrite 18.2.0": eighteen,
  "appwrite 27.0.0": newest as unknown as Sdk,
  "node-appwrite 27.1.0": server as unknown as Sdk,
};
const newestName = "appwrite 27.0.0";
/** On PostgreSQL one of them: what a client sends doesn't depend on the engine, and on SQLite all of them send it. */
const onThisEngine = <Name extends SdkName>(names: Name[]) =>
  inject("engine") === "postgres" ? names.filter((name) => name === newestName) : names;
/** Those that run in browsers. */
export const webSdks = onThisEngine(["appwrite 18.2.0", newestName]);
export const everySdk = onThisEngine(Object.keys(sdks) as SdkName[]);

export const ids = { database: "main", bucket: "files", project: "inkstead" };

/** A world whose handlers stand open on a port. */
export type OpenApi = {
  world: World;
  endpoint: string;
  /** A client of somebody who is signed in, or of a visitor. */
  connect(sdk: SdkName, who?: Member): Promise<Connection>;
  /** The value that a client keeps for somebody's session. */
  signIn(who: Member): Promise<string>;
  /** Ends every socket, as a server does that goes away or a cable that is cut. */
  hangUp(how: "goes away" | "is cut"): void;
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
  let realtime = openRealtime(world.site, { config: chosen.api });
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
    hangUp(how) {
      if (how === "is cut") for (const socket of sockets) socket.destroy();
      realtime.close();
      realtime = openRealtime(world.site, { config: chosen.api });
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

/** What a browser has and the clients ask for, until the api is closed: other test files run in this process. */
export function becomeBrowser(): void {
  const kept = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  };
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("localStorage", localStorage);
}

/** From now on requests come from a page at that origin. Returns what ends it. */
export function askFrom(origin: string): () => void {
  const plain = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("origin", origin);
    return plain(input, { ...init, headers });
  };
  return () => {
    globalThis.fetch = plain;
  };
}

/** What a client throws. */
export async function failure(work: () => Promise<unknown>): Promise<{ code: number; type: string; message: string; response: string }> {
  try {
    await work();
  } catch (error) {
    const { code, type, message, response } = error as { code: number; type: string; message: string; response: string };
    return { code, type, message, response };
  }
  throw new Error("The client was not told of an error.");
}

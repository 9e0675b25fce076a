import type { RawData, WebSocket } from "ws";
import { z } from "zod";
import type { Site, Viewer } from "#domain/site.ts";
import { findViewer } from "../../session.ts";
import { userModel } from "../account/models.ts";
import { ApiError } from "../errors.ts";
import { readSessionValue } from "../sessions.ts";
import { BadSubscription, holds, type Payload, readFilters, type Subscription } from "./subscriptions.ts";

export type RealtimeLimits = {
  /** Milliseconds between two pings; who hasn't answered one by the next is gone. */
  ping: number;
  /** Bytes that may wait for somebody who reads slower than things happen. */
  buffered: number;
  subscriptions: number;
  /** In a minute. */
  messages: number;
};

/** Something to tell, whom it may be told, and whether that is everybody. */
export type News = { channels: string[]; events: string[]; payload: Payload; isPublic: boolean; mayHear(viewer: Viewer): boolean };

/** How the person showed who they are: asked again before anything private is told. */
export type Identity = { viewer: Viewer; again: () => Promise<Viewer> };

type Parts = { socket: WebSocket; identity: Identity; limits: RealtimeLimits; onChannels: (connection: RealtimeConnection) => void };

const Channels = z.array(z.string().max(200)).max(200);
const SubscriptionId = z
  .string("subscriptionId is not a valid id.")
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/, "subscriptionId is not a valid id.");
const Frame = z.object({ type: z.string(), data: z.unknown().optional() });
const Authentication = z.object({ session: z.string() });
const Subscribe = z
  .array(z.object({ subscriptionId: SubscriptionId, channels: Channels, queries: z.array(z.string().max(4096)).max(100).default([]) }))
  .min(1)
  .max(100);
const Unsubscribe = z
  .array(z.object({ subscriptionId: SubscriptionId }))
  .min(1)
  .max(100);

const fromAddress = "address";
const waitingAtMost = 100;
const checkAgainAfter = 1_000;
/** Clients stop coming back after this one. */
export const policyViolation = 1008;

/** One socket of a client: its frames are answered in turn, and what happens is told once each. */
export class RealtimeConnection {
  readonly subscriptions = new Map<string, Subscription>();
  readonly #site: Site;
  readonly #parts: Parts;
  #identity: Identity;
  #checkedAt: number;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #answered = true;
  #minute = { from: 0, messages: 0 };

  constructor(site: Site, parts: Parts) {
    this.#site = site;
    this.#parts = parts;
    this.#identity = parts.identity;
    this.#checkedAt = performance.now();
    const { socket, limits } = parts;
    const pinging = setInterval(() => this.#ping(), limits.ping);
    socket.on("pong", () => {
      this.#answered = true;
    });
    socket.on("error", () => {}); // The close that follows says it all.
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.once("close", () => clearInterval(pinging));
  }

  /**
   * Greets with what is listened to: channels of the address, where older clients write them. Frames that arrive while it
   * is found out who came are answered after that.
   */
  begin(look: () => Promise<{ channels: string[]; queries: string[] }>): void {
    this.#inTurn(async () => {
      const { channels, queries } = await look();
      try {
        if (channels.length > 0) this.#subscribe({ subscriptionId: fromAddress, channels, queries });
      } catch (problem) {
        if (!(problem instanceof BadSubscription || problem instanceof ApiError)) throw problem;
        this.refuse(problem.message);
        return;
      }
      const { viewer } = this.#identity;
      const heard = this.subscriptions.get(fromAddress)?.channels ?? new Set();
      const subscriptions = channels.length > 0 ? Object.fromEntries(channels.map((_channel, index) => [index, fromAddress])) : [];
      this.#send("connected", { channels: [...heard], subscriptions, user: viewer && (await userModel(this.#site, viewer)) });
    });
  }

  /** After everything that came before it. */
  tell(news: News): void {
    this.#inTurn(async () => {
      const subscriptions = [...this.subscriptions].filter(([, subscription]) => this.#wants(subscription, news)).map(([id]) => id);
      if (subscriptions.length === 0 || !news.mayHear(this.#identity.viewer)) return;
      if (!news.isPublic && !news.mayHear(await this.#viewerNow())) return;
      const { channels, events, payload } = news;
      this.#send("event", {
        events,
        channels,
        timestamp: new Date(this.#site.now()).toISOString().replace("Z", "+00:00"),
        payload,
        subscriptions,
      });
    });
  }

  /** Says why, and ends it. */
  refuse(message: string, code = policyViolation): void {
    this.#send("error", { code, message });
    this.close(code, "");
  }

  close(code: number, reason: string): void {
    this.#parts.socket.close(code, reason);
    setTimeout(() => this.#parts.socket.terminate(), 1_000).unref();
  }

  #wants({ channels, filters }: Subscription, news: News): boolean {
    return news.channels.some((channel) => channels.has(channel)) && filters.every((filter) => holds(filter, news.payload));
  }

  async #viewerNow(): Promise<Viewer> {
    if (performance.now() - this.#checkedAt < checkAgainAfter) return this.#identity.viewer;
    this.#identity.viewer = await this.#identity.again();
    this.#checkedAt = performance.now();
    return this.#identity.viewer;
  }

  #inTurn(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((err: unknown) => {
      this.#site.log.error({ err }, "a client could not be told");
      this.close(1011, "try again later");
    });
  }

  #receive(data: RawData, isBinary: boolean): void {
    const now = performance.now();
    if (now - this.#minute.from > 60_000) this.#minute = { from: now, messages: 0 };
    if (++this.#minute.messages > this.#parts.limits.messages) this.#send("error", { code: 1013, message: "Too many messages." });
    else if (++this.#waiting > waitingAtMost) this.refuse("Too many messages.", 1013);
    else this.#take(isBinary ? undefined : parse(String(data)));
  }

  #take(frame: z.output<typeof Frame> | undefined): void {
    this.#inTurn(async () => {
      this.#waiting--;
      if (!frame) this.#wrong("Message format is not valid.");
      else await this.#answer(frame.type, frame.data);
    });
  }

  async #answer(type: string, data: unknown): Promise<void> {
    if (type === "ping") this.#parts.socket.send('{"type":"pong"}');
    else if (type === "authentication") await this.#authenticate(Authentication.safeParse(data).data?.session);
    else if (type === "subscribe") this.#answerSubscribe(data);
    else if (type === "unsubscribe") this.#answerUnsubscribe(data);
    else this.#wrong("Message type is not valid.");
  }

  async #authenticate(value: string | undefined): Promise<void> {
    const session = value === undefined ? undefined : readSessionValue(this.#site, value);
    const again = async () => (session ? (await findViewer(this.#site, { token: session.token })).viewer : null);
    const viewer = await again();
    if (!viewer || viewer.id !== session?.userId) {
      this.#wrong(value === undefined ? "Payload is not valid." : "Session is not valid.");
      return;
    }
    this.#identity = { viewer, again };
    this.#checkedAt = performance.now();
    for (const { channels } of this.subscriptions.values()) this.#addOwn(channels);
    this.#parts.onChannels(this);
    this.#send("response", { to: "authentication", success: true, user: await userModel(this.#site, viewer) });
  }

  #answerSubscribe(given: unknown): void {
    try {
      const { data, error } = Subscribe.safeParse(given);
      if (!data) throw new BadSubscription(`Payload is not valid. ${error.issues[0]?.message ?? "Items is required"}`);
      for (const wanted of data) this.#subscribe(wanted);
      this.#send("response", { to: "subscribe", success: true, subscriptions: data });
    } catch (problem) {
      if (!(problem instanceof BadSubscription || problem instanceof ApiError)) throw problem;
      this.#wrong(problem.message);
    }
  }

  /** The same id again replaces what it stood for: clients repeat all of them whenever they come back. */
  #subscribe({ subscriptionId, channels, queries }: { subscriptionId: string; channels: string[]; queries: string[] }): void {
    if (!this.subscriptions.has(subscriptionId) && this.subscriptions.size >= this.#parts.limits.subscriptions)
      throw new BadSubscription("Too many subscriptions.");
    const filters = readFilters(queries);
    // Nobody listens to another's account by its name.
    const accepted = new Set(
      channels.filter((channel) => !channel.startsWith("account.") || /^account\.(create|update|delete)$/.test(channel)),
    );
    this.#addOwn(accepted);
    this.subscriptions.set(subscriptionId, { channels: accepted, filters });
    this.#parts.onChannels(this);
  }

  #addOwn(channels: Set<string>): void {
    const { viewer } = this.#identity;
    if (viewer && channels.has("account")) channels.add(`account.${viewer.id}`);
  }

  #answerUnsubscribe(given: unknown): void {
    const ids = Unsubscribe.safeParse(given).data?.map((each) => each.subscriptionId) ?? [];
    if (ids.length === 0) this.#wrong("Payload is not valid. Items is required");
    const subscriptions = ids.map((subscriptionId) => ({ subscriptionId, removed: this.subscriptions.delete(subscriptionId) }));
    this.#parts.onChannels(this);
    if (ids.length > 0) this.#send("response", { to: "unsubscribe", success: true, subscriptions });
  }

  #wrong(message: string): void {
    this.#send("error", { code: 1003, message });
  }

  #ping(): void {
    if (this.#answered) this.#parts.socket.ping();
    else this.#parts.socket.terminate();
    this.#answered = false;
  }

  #send(type: string, data: object): void {
    const { socket, limits } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > limits.buffered) socket.terminate();
    else socket.send(JSON.stringify({ type, data }));
  }
}

function parse(text: string): z.output<typeof Frame> | undefined {
  try {
    return Frame.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

import type { RawData, WebSocket } from "ws";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { findSession } from "#server/session/session.ts";
import { MinuteBudget } from "../../limits/sockets.ts";
import { userModel } from "../account/models.ts";
import { readSessionValue } from "../caller.ts";
import { ApiError } from "../errors.ts";
import { ownErrorText } from "../params.ts";
import {
  Authentication,
  authenticationCost,
  bytesOf,
  costOfFrame,
  parseFrame,
  type RequestedSubscription,
  Subscribe,
  Unsubscribe,
} from "./frames.ts";
import { isNamedAccount, unknownChannel } from "./names.ts";
import { BadSubscription, type Payload, readFilters, type SubscriptionLimits, SubscriptionList } from "./subscriptions.ts";

export type RealtimeLimits = {
  /** Milliseconds between pings. Connections that miss one are closed. */
  ping: number;
  /** Unsent bytes at which a slow reader is disconnected. */
  buffered: number;
  visitor: SubscriptionLimits;
  member: SubscriptionLimits;
  /** Cost of frames (`costOfFrame`) in a minute. */
  unitsPerMinute: number;
};

export type RealtimeMessage = {
  channels: string[];
  events: string[];
  payload: Payload;
  isPublic: boolean;
  mayReceive(viewer: Viewer): boolean;
};

export type Identity = { viewer: Viewer; reload: () => Promise<Viewer> };

type Parts = {
  socket: WebSocket;
  identity: Identity;
  limits: RealtimeLimits;
  isChannel: (name: string) => boolean;
  /** Counts the connection for an account instead of what it was counted for before. False beyond the limit. */
  assignAccount: (accountId: string) => boolean;
  /** Called once per frame at most, with channels that the connection may have joined or left. */
  onChannels: (connection: RealtimeConnection, changed: string[]) => void;
};

const urlSubscriptionId = "address";
const maxWaitingFrames = 100;
const maxWaitingMessages = 1_000;
const recheckIntervalMs = 1_000;
export const policyViolation = 1008;

export class RealtimeConnection {
  readonly subscriptions = new SubscriptionList();
  readonly #site: Site;
  readonly #parts: Parts;
  #identity: Identity;
  #checkedAt: number;
  #work: Promise<void> = Promise.resolve();
  #waiting = { frames: 0, messages: 0 };
  #isAlive = true;
  #isEnding = false;
  readonly #budget = new MinuteBudget();
  #budgetViolations = 0;
  #urlSubscription: Omit<RequestedSubscription, "subscriptionId"> = { channels: [], queries: [] };

  constructor(site: Site, parts: Parts) {
    this.#site = site;
    this.#parts = parts;
    this.#identity = parts.identity;
    this.#checkedAt = performance.now();
    const { socket, limits } = parts;
    const pingTimer = setInterval(() => this.#ping(), limits.ping);
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    socket.on("error", () => {}); // A close event follows.
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.once("close", () => clearInterval(pingTimer));
  }

  start(readUrl: () => Promise<{ channels: string[]; queries: string[] }>): void {
    this.#enqueue(async () => {
      this.#urlSubscription = await readUrl();
      const problem = this.#subscribeToUrl();
      if (this.#isEnding) return;
      const { channels } = this.#urlSubscription;
      const subscriptions = channels.length > 0 ? Object.fromEntries(channels.map((_channel, index) => [index, urlSubscriptionId])) : [];
      const { viewer } = this.#identity;
      const user = viewer && (await userModel(this.#site, viewer));
      this.#send("connected", { channels: this.#subscribedChannels(), subscriptions, user });
      if (problem) this.#sendError(problem);
    });
  }

  /**
   * Subscribes to the channels in the URL. Invalid ones, and those beyond the limit, are skipped, as clients take an error for the
   * end of all of them. @returns the problem, if any.
   */
  #subscribeToUrl(): string | undefined {
    const { channels, queries } = this.#urlSubscription;
    if (channels.length === 0) return undefined;
    const limits = this.#subscriptionLimits();
    const known = new Set(channels.filter((channel) => this.#parts.isChannel(channel)));
    const unknown = channels.find((channel) => !known.has(channel) && !isNamedAccount(channel));
    try {
      const accepted = new Set([...known].slice(0, limits.channels));
      this.subscriptions.set(urlSubscriptionId, { channels: accepted, filters: readFilters(queries) }, limits);
      this.#reportChannels();
    } catch (problem) {
      this.refuse(messageOf(problem));
    }
    if (unknown !== undefined) return unknownChannel(unknown);
    return known.size > limits.channels ? `Too many channels: at most ${limits.channels}.` : undefined;
  }

  #subscribedChannels(): string[] {
    const { viewer } = this.#identity;
    const hasOwnAccount = viewer && this.subscriptions.hasChannel("account");
    return hasOwnAccount ? [...this.subscriptions.channels, `account.${viewer.id}`] : this.subscriptions.channels;
  }

  #subscriptionLimits(): SubscriptionLimits {
    const { visitor, member } = this.#parts.limits;
    return this.#identity.viewer ? member : visitor;
  }

  #reportChannels(): void {
    const changed = this.subscriptions.takeChanged();
    if (changed.length > 0) this.#parts.onChannels(this, changed);
  }

  deliver(message: RealtimeMessage): void {
    if (this.#isEnding) return;
    // The client reloads when it reconnects.
    if (++this.#waiting.messages > maxWaitingMessages) this.close(1001, "events were lost");
    this.#enqueue(async () => {
      this.#waiting.messages--;
      if (isUnderMaintenance(this.#site, this.#identity.viewer)) return;
      const subscriptions = this.subscriptions.matching(message.channels, message.payload);
      if (subscriptions.length === 0 || !message.mayReceive(this.#identity.viewer)) return;
      if (!message.isPublic && !message.mayReceive(await this.#currentViewer())) return;
      const { channels, events, payload } = message;
      this.#send("event", {
        events,
        channels,
        timestamp: new Date(this.#site.now()).toISOString().replace("Z", "+00:00"),
        payload,
        subscriptions,
      });
    });
  }

  refuse(message: string, code = policyViolation): void {
    this.#send("error", { code, message });
    this.close(code, "");
  }

  close(code: number, reason: string): void {
    this.#isEnding = true;
    this.#parts.socket.close(code, reason);
    setTimeout(() => this.#parts.socket.terminate(), 1_000).unref();
  }

  async #currentViewer(): Promise<Viewer> {
    if (performance.now() - this.#checkedAt < recheckIntervalMs) return this.#identity.viewer;
    const viewer = await this.#identity.reload();
    // The client reconnects, with a new token or as a visitor.
    if (this.#identity.viewer && !viewer) this.close(1001, "the session has ended");
    this.#identity.viewer = viewer;
    this.#checkedAt = performance.now();
    return viewer;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#isEnding ? undefined : work()))
      .catch((err: unknown) => {
        this.#site.log.error({ err }, "an event could not be sent to a client");
        this.close(1011, "try again later");
      });
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnding || !this.#spend(costOfFrame(bytesOf(data)))) return;
    if (++this.#waiting.frames > maxWaitingFrames) this.refuse("Too many messages.", 1013);
    else this.#handleFrame(isBinary ? undefined : String(data));
  }

  /** False beyond the limit of a minute: the first time with a warning, the second time the connection is closed. */
  #spend(units: number): boolean {
    if (this.#budget.spend(units, this.#parts.limits.unitsPerMinute)) return true;
    if (++this.#budgetViolations > 1) this.refuse("Too many messages.");
    else this.#send("error", { code: 1013, message: "Too many messages." });
    return false;
  }

  #handleFrame(text: string | undefined): void {
    this.#enqueue(async () => {
      this.#waiting.frames--;
      const frame = text === undefined ? undefined : parseFrame(text);
      if (!frame) this.#sendError("Message format is not valid.");
      else await this.#handle(frame.type, frame.data);
      this.#reportChannels();
    });
  }

  async #handle(type: string, data: unknown): Promise<void> {
    if (type === "ping") this.#parts.socket.send('{"type":"pong"}');
    else if (type === "authentication") await this.#authenticate(Authentication.safeParse(data).data?.session);
    else if (type === "subscribe") this.#handleSubscribe(data);
    else if (type === "unsubscribe") this.#handleUnsubscribe(data);
    else this.#sendError("Message type is not valid.");
  }

  async #authenticate(value: string | undefined): Promise<void> {
    if (!this.#spend(authenticationCost)) return;
    const session = value === undefined ? undefined : readSessionValue(this.#site, value);
    const reload = async () => (session ? (await findSession(this.#site, { token: session.token })).viewer : null);
    const viewer = await reload();
    if (!viewer || viewer.id !== session?.userId) {
      this.#sendError(value === undefined ? "Payload is not valid." : "Session is not valid.");
      return;
    }
    if (!this.#parts.assignAccount(viewer.id)) return this.refuse("Too many connections.");
    this.#identity = { viewer, reload };
    this.#checkedAt = performance.now();
    // Members have higher limits than visitors.
    this.#subscribeToUrl();
    this.#send("response", { to: "authentication", success: true, user: await userModel(this.#site, viewer) });
  }

  /** One by one: clients repeat all subscriptions in one frame, and an invalid one must not end the others. */
  #handleSubscribe(payload: unknown): void {
    const { data, error } = Subscribe.safeParse(payload);
    if (!data) {
      this.#sendError(`Payload is not valid. ${(error.issues[0] && ownErrorText(error.issues[0])) ?? "Items is required"}`);
      return;
    }
    const problems = data.map((subscription) => this.#subscribe(subscription));
    const subscriptions = data.filter((_subscription, index) => problems[index] === undefined);
    if (subscriptions.length > 0) this.#send("response", { to: "subscribe", success: true, subscriptions });
    const problem = problems.find((each) => each !== undefined);
    if (problem !== undefined) this.#sendError(problem);
  }

  #subscribe({ subscriptionId, channels, queries }: RequestedSubscription): string | undefined {
    const allowed = channels.filter((channel) => !isNamedAccount(channel));
    const unknown = allowed.find((channel) => !this.#parts.isChannel(channel));
    if (unknown !== undefined) return unknownChannel(unknown);
    try {
      const subscription = { channels: new Set(allowed), filters: readFilters(queries) };
      this.subscriptions.set(subscriptionId, subscription, this.#subscriptionLimits());
      return undefined;
    } catch (problem) {
      return messageOf(problem);
    }
  }

  #handleUnsubscribe(payload: unknown): void {
    const ids = Unsubscribe.safeParse(payload).data?.map((each) => each.subscriptionId) ?? [];
    if (ids.length === 0) this.#sendError("Payload is not valid. Items is required");
    const subscriptions = ids.map((subscriptionId) => ({ subscriptionId, removed: this.subscriptions.delete(subscriptionId) }));
    if (ids.length > 0) this.#send("response", { to: "unsubscribe", success: true, subscriptions });
  }

  #sendError(message: string): void {
    this.#send("error", { code: 1003, message });
  }

  #ping(): void {
    if (this.#isAlive) this.#parts.socket.ping();
    else this.#parts.socket.terminate();
    this.#isAlive = false;
  }

  #send(type: string, data: object): void {
    const { socket, limits } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > limits.buffered) socket.terminate();
    else socket.send(JSON.stringify({ type, data }));
  }
}

/** @throws errors that the client didn't cause. */
function messageOf(problem: unknown): string {
  if (problem instanceof BadSubscription || problem instanceof ApiError) return problem.message;
  throw problem;
}

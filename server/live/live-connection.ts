import type { RawData, WebSocket } from "ws";
import { z } from "zod";
import { isEmptied } from "#domain/changes.ts";
import { allowedTopics, currentState, needsLookup, silentTopics } from "#domain/live.server.ts";
import { type LiveEvent, type LiveRequest, type LiveResponse, stopCode, type UnreadCounts } from "#domain/live.ts";
import { broadcastTyping } from "#domain/messages/blocking.server.ts";
import { type NewMessage, ownTopic } from "#domain/messages/message.ts";
import { findCachedMessage, sendMessage } from "#domain/messages/messages.server.ts";
import { countUnread } from "#domain/pages/shell.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import { isUnderMaintenance } from "#domain/settings/maintenance.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { LoggedEvent } from "#platform/events/event-log.ts";
import { gap } from "#platform/events/events.ts";
import { parseJson } from "#platform/json.ts";
import { coalesceCalls } from "#platform/queues/coalesce-calls.ts";
import { MinuteBudget } from "../limits/sockets.ts";

export type ConnectionLimits = {
  /** Milliseconds between pings, each with an empty frame for scripts. A connection that hasn't answered by the next one is closed. */
  pingIntervalMs: number;
  /** Unsent bytes at which a slow reader is disconnected; the browser reconnects and catches up. */
  maxBufferedBytes: number;
  maxTopics: number;
  unitsPerMinute: { visitor: number; member: number };
};

type Parts = {
  socket: WebSocket;
  viewer: Viewer;
  findViewer: () => Promise<Viewer>;
  limits: ConnectionLimits;
};

/** `from`: the cursor of the last event sent. `buffer`: events that arrive during the catch-up. */
type Subscription = { unsubscribe: () => void; from: string; buffer: LoggedEvent[] | undefined; isSilent: boolean };

const id = z.string().max(100);
const topics = z.array(z.string().max(300)).min(1).max(100);
const Request: z.ZodType<LiveRequest> = z.union([
  z.strictObject({
    // Not strict: during an update, pages of the next version may send fields that this process doesn't know.
    send: z.object({ from: id.optional(), to: id, text: z.string(), sendId: id }),
  }),
  z.strictObject({ subscribe: topics, after: z.string().max(100).optional() }),
  z.strictObject({ unsubscribe: topics }),
  z.strictObject({ typing: id }),
]);

const unitsPerRequest = 5;
const bytesPerUnit = 100;
const unitsPerLookUp = 2;
const unitsPerCatchUp = 10;
const unitsPerMessage = 20;

const maxWaitingRequests = 20;
/** Minimum between two "is typing" of a connection. */
const typingIntervalMs = 1_000;

export class LiveConnection {
  readonly #site: Site;
  readonly #socket: WebSocket;
  readonly #findViewer: () => Promise<Viewer>;
  readonly #limits: ConnectionLimits;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #countUnread: () => Promise<void>;
  #viewer: Viewer;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isAlive = true;
  #isCountDue = false;
  #isEnding = false;
  readonly #budget = new MinuteBudget();
  #typingSentAt = Number.NEGATIVE_INFINITY;

  constructor(site: Site, { socket, viewer, findViewer, limits }: Parts) {
    this.#site = site;
    this.#socket = socket;
    this.#viewer = viewer;
    this.#findViewer = findViewer;
    this.#limits = limits;
    this.#countUnread = coalesceCalls(async () => {
      try {
        if (viewer) this.#sendUnread(viewer.id, await countUnread(site, viewer.id));
        this.#isCountDue = false;
      } catch (err) {
        // Retried at the next ping.
        this.#isCountDue = true;
        site.log.warn({ err }, "unread messages could not be counted");
      }
    });
    const pingTimer = setInterval(() => void this.#checkSession(), limits.pingIntervalMs);
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    socket.on("error", () => {}); // A close event follows.
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    const leavePresence = viewer ? site.presence.enter(viewer.id) : () => {};
    socket.once("close", () => {
      clearInterval(pingTimer);
      leavePresence();
      this.#unsubscribe([...this.#subscriptions.keys()]);
    });
  }

  close(code: number, reason: string): void {
    this.#isEnding = true;
    this.#socket.close(code, reason);
    // A browser that doesn't answer would hold up a draining server.
    setTimeout(() => this.#socket.terminate(), 1_000).unref();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnding) return;
    const text = isBinary ? "" : String(data);
    const request = Request.safeParse(parseJson(text)).data;
    if (!request) this.close(stopCode, "invalid message");
    else if (!this.#spend(this.#costOf(request, text.length)) || ++this.#waiting > maxWaitingRequests) this.close(1013, "too much");
    else this.#work = this.#work.then(() => this.#handle(request)).finally(() => this.#waiting--);
  }

  /** @returns false when the minute's budget is spent. */
  #spend(units: number): boolean {
    const { visitor, member } = this.#limits.unitsPerMinute;
    return this.#budget.spend(units, this.#viewer ? member : visitor);
  }

  #costOf(request: LiveRequest, length: number): number {
    const units = unitsPerRequest + Math.ceil(length / bytesPerUnit);
    if ("send" in request) return units + unitsPerMessage;
    if (!("subscribe" in request)) return units;
    const added = request.subscribe.filter((topic) => !this.#subscriptions.has(topic));
    const lookUps = added.filter(needsLookup).length * unitsPerLookUp;
    return units + lookUps + (request.after !== undefined && added.length > 0 ? unitsPerCatchUp : 0);
  }

  async #handle(request: LiveRequest): Promise<void> {
    if (this.#isEnding) return;
    try {
      if ("unsubscribe" in request) this.#unsubscribe(request.unsubscribe);
      else if ("subscribe" in request) await this.#subscribe([...new Set(request.subscribe)], request.after);
      else if ("typing" in request) await this.#typing(request.typing);
      else await this.#post(request.send);
    } catch (err) {
      this.#site.log.error({ err }, "a live request failed");
      this.close(1011, "try again later");
    }
  }

  async #subscribe(requested: string[], after: string | undefined): Promise<void> {
    const added = requested.filter((topic) => !this.#subscriptions.has(topic)).slice(0, this.#limits.maxTopics - this.#subscriptions.size);
    const allowed = await allowedTopics(this.#site, this.#viewer, added);
    const silent = await silentTopics(this.#site, this.#viewer, allowed);
    if (!this.#isOpen()) return;
    const latest = this.#site.events.latest();
    const from = after ?? latest;
    for (const topic of allowed) this.#add(topic, { from, buffering: after !== undefined, isSilent: silent.has(topic) });
    const subscribed = requested.filter((topic) => this.#subscriptions.has(topic));
    const refused = requested.filter((topic) => !this.#subscriptions.has(topic));
    if (subscribed.length > 0) this.#send({ subscribed, cursor: from });
    if (refused.length > 0) this.#send({ refused });
    for (const topic of allowed) this.#sendState(topic, silent.has(topic));
    if (after !== undefined && allowed.length > 0) await this.#catchUp(allowed, after, latest);
  }

  #sendState(topic: string, isSilent: boolean): void {
    const broadcast = currentState(this.#site, topic, isSilent);
    if (broadcast) this.#send({ broadcast });
  }

  async #typing(partnerId: string): Promise<void> {
    const now = performance.now();
    if (now - this.#typingSentAt < typingIntervalMs) return;
    this.#typingSentAt = now;
    await broadcastTyping(this.#site, this.#viewer, partnerId);
  }

  async #post(message: NewMessage): Promise<void> {
    const { sendId } = message;
    try {
      const sent = await sendMessage(this.#site, await this.#findViewer(), message);
      this.#send({ sent: { sendId, ...sent } });
    } catch (err) {
      if (!isRefusal(err)) this.#site.log.error({ err }, "a message could not be sent");
      const reason = isRefusal(err) ? { code: err.code, message: err.message } : { code: "failed" as const, message: "" };
      this.#send({ unsent: { sendId, ...reason } });
    }
  }

  #add(topic: string, { from, buffering, isSilent }: { from: string; buffering: boolean; isSilent: boolean }): void {
    const subscription: Subscription = { from, buffer: buffering ? [] : undefined, unsubscribe: () => {}, isSilent };
    const unsubscribeEvents = this.#site.events.subscribe(topic, (event) => {
      if (subscription.buffer) subscription.buffer.push(event);
      else this.#forward(subscription, event);
    });
    const unsubscribeBroadcasts = this.#site.events.broadcasts.subscribe(topic, (broadcast) => {
      if (!subscription.isSilent) this.#send({ broadcast });
    });
    subscription.unsubscribe = () => {
      unsubscribeEvents();
      unsubscribeBroadcasts();
    };
    this.#subscriptions.set(topic, subscription);
  }

  /** Skips events up to `from`: another process, ahead of this one, may have sent them to this browser before it reconnected. */
  #forward(subscription: Subscription, event: LoggedEvent): void {
    if (event.type !== gap && !this.#site.events.isAfter(event.cursor, subscription.from)) return;
    subscription.from = event.cursor;
    if (changesUnread(event)) void this.#countUnread();
    if (isEmptied(event)) return;
    const liveEvent = event as LiveEvent;
    const message = liveEvent.type === "message.created" ? findCachedMessage(this.#site, liveEvent.data.id) : undefined;
    this.#send(message ? { event: liveEvent, message } : { event: liveEvent });
  }

  #sendUnread(id: string, { unread, notifications, countedAt }: UnreadCounts): void {
    this.#send({ broadcast: { topic: ownTopic(id), type: "unread", data: { unread, notifications, countedAt } } });
  }

  async #catchUp(topics: string[], after: string, latest: string): Promise<void> {
    const missed = await this.#site.events.readAfter(after, topics);
    const events = missed === gap ? topics.map((topic) => ({ topic, type: gap, data: {}, cursor: latest })) : missed;
    for (const event of events) {
      const subscription = this.#subscriptions.get(event.topic);
      if (subscription) this.#forward(subscription, event);
    }
    for (const topic of topics) this.#flushBuffer(topic);
  }

  #flushBuffer(topic: string): void {
    const subscription = this.#subscriptions.get(topic);
    const buffer = subscription?.buffer ?? [];
    if (subscription) subscription.buffer = undefined;
    for (const event of buffer) if (subscription) this.#forward(subscription, event);
  }

  #unsubscribe(topics: string[]): void {
    for (const topic of topics) {
      this.#subscriptions.get(topic)?.unsubscribe();
      this.#subscriptions.delete(topic);
    }
  }

  async #checkSession(): Promise<void> {
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
    this.#send({ refused: [] });
    try {
      const viewer = await this.#findViewer();
      if (viewer?.id !== this.#viewer?.id) return this.close(stopCode, "the session has ended");
      this.#viewer = viewer;
      if (isUnderMaintenance(this.#site, viewer)) return this.close(1013, "under maintenance");
      if (this.#isCountDue) void this.#countUnread();
      const subscribed = [...this.#subscriptions.keys()];
      const allowed = new Set(await allowedTopics(this.#site, this.#viewer, subscribed));
      const silent = await silentTopics(this.#site, viewer, [...allowed]);
      for (const topic of allowed) this.#silence(topic, silent.has(topic));
      const refused = subscribed.filter((topic) => !allowed.has(topic));
      if (refused.length === 0) return;
      this.#unsubscribe(refused);
      this.#send({ refused });
    } catch (err) {
      this.#site.log.warn({ err }, "a live session could not be checked");
    }
  }

  #silence(topic: string, isSilent: boolean): void {
    const subscription = this.#subscriptions.get(topic);
    if (!subscription || subscription.isSilent === isSilent) return;
    subscription.isSilent = isSilent;
    this.#sendState(topic, isSilent);
  }

  #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  #send(response: LiveResponse): void {
    if (!this.#isOpen()) return;
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(response));
  }
}

function changesUnread({ topic, type, data }: LoggedEvent): boolean {
  if (!topic.startsWith(ownTopic(""))) return false;
  // A member's own messages and their partner's reading don't change the member's count.
  if (type === "message.created") return !data.own;
  if (type === "conversation.read") return data.own === true;
  return /^(message|chat|conversation|notification)\.|^gap$/.test(type);
}

import { type CollectionName, collectionNames, documentsTopic, type ListName } from "#domain/changes.ts";
import type { Document } from "#domain/documents/document.ts";
import { loadDocumentsUnchecked, loadReadMessages, mayReceive, removedDocument } from "#domain/documents/live-documents.server.ts";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import type { LoggedEvent } from "#platform/events/event-log.ts";
import { gap } from "#platform/events/events.ts";
import { userModel, withoutAddress } from "../account/models.ts";
import { documentModel } from "../documents/documents.ts";
import { fileModel } from "../files/models.ts";
import type { RealtimeConnection, RealtimeMessage } from "./connection.ts";
import { channelsOf, eventNames, type RealtimeEvent } from "./names.ts";

type HubEvent = Omit<LoggedEvent, "cursor">;

const format = "2.0.0";

export class Hub {
  readonly #site: Site;
  readonly #config: ApiConfig;
  readonly #connectionsByChannel = new Map<string, Set<RealtimeConnection>>();
  readonly #connections = new Set<RealtimeConnection>();
  readonly #unsubscribers: (() => void)[];
  #work: Promise<void> = Promise.resolve();

  constructor(site: Site, config: ApiConfig) {
    this.#site = site;
    this.#config = config;
    const enqueue = (event: HubEvent) => {
      this.#work = this.#work
        .then(() => this.#dispatch(event))
        .catch((err: unknown) => {
          site.log.error({ err, type: event.type }, "events could not be sent to clients");
          this.#disconnectAll();
        });
    };
    this.#unsubscribers = [site.events.subscribe(documentsTopic, enqueue), site.events.broadcasts.subscribe(documentsTopic, enqueue)];
  }

  get connections(): Iterable<RealtimeConnection> {
    return this.#connections;
  }

  add(connection: RealtimeConnection): void {
    this.#connections.add(connection);
  }

  update(connection: RealtimeConnection, changed: string[]): void {
    if (!this.#connections.has(connection)) return;
    for (const channel of changed) {
      if (!connection.subscriptions.hasChannel(channel)) this.#removeFromChannel(connection, channel);
      else this.#connectionsByChannel.set(channel, (this.#connectionsByChannel.get(channel) ?? new Set()).add(connection));
    }
  }

  remove(connection: RealtimeConnection): void {
    this.#connections.delete(connection);
    for (const channel of connection.subscriptions.channels) this.#removeFromChannel(connection, channel);
  }

  #removeFromChannel(connection: RealtimeConnection, channel: string): void {
    const listeners = this.#connectionsByChannel.get(channel);
    listeners?.delete(connection);
    if (listeners?.size === 0) this.#connectionsByChannel.delete(channel);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
  }

  async #dispatch(event: HubEvent): Promise<void> {
    // Account deletion blanks events; one that was blanked before it was read is lost too.
    if (event.type === gap || event.data.id === undefined) return this.#disconnectAll();
    if (this.#connectionsByChannel.size === 0) return;
    if (event.type === "conversations.read") return this.#dispatchRead(event);
    const realtimeEvent = toRealtimeEvent(event);
    if (!realtimeEvent) return;
    if (realtimeEvent.kind === "user") return this.#publishUser(realtimeEvent);
    const list: ListName = realtimeEvent.kind === "file" ? "files" : realtimeEvent.collection;
    const isGone = realtimeEvent.action === "delete";
    const documents = isGone ? [removedDocument(event.data)] : await this.#load(list, [realtimeEvent.id], realtimeEvent);
    for (const document of documents) this.#publish(realtimeEvent, list, document);
    for (const message of list === "messages" ? documents : [])
      await this.#publishConversation(message.attributes.conversationId, message.isOwnerOnly ? message.ownerId : undefined);
  }

  /** Clients reload when they reconnect. */
  #disconnectAll(): void {
    for (const connection of this.#connections) connection.close(1001, "events were lost");
  }

  async #dispatchRead({ data }: HubEvent): Promise<void> {
    const [first, last] = [Number(data.first), Number(data.last)];
    const read = await loadReadMessages(this.#site, { id: String(data.id), readerId: String(data.readerId), first, last });
    for (const message of read)
      this.#publish({ kind: "document", collection: "messages", id: message.id, action: "update" }, "messages", message);
    await this.#publishConversation(data.id);
  }

  /** A message changes both sides of its conversation; a withheld one only its sender's. */
  async #publishConversation(id: unknown, only?: string | null): Promise<void> {
    if (typeof id !== "string") return;
    const realtimeEvent = { kind: "document", collection: "conversations", id, action: "update" } as const;
    for (const side of await this.#load("conversations", [id], realtimeEvent))
      if (only === undefined || side.ownerId === only) this.#publish(realtimeEvent, "conversations", side);
  }

  /** Loads only with listeners; messages always, for their conversation. */
  async #load(list: ListName, ids: string[], realtimeEvent: RealtimeEvent): Promise<Document[]> {
    return list === "messages" || this.#listenersOf(realtimeEvent).size > 0 ? loadDocumentsUnchecked(this.#site, list, ids) : [];
  }

  async #publishUser(realtimeEvent: RealtimeEvent): Promise<void> {
    if (this.#listenersOf(realtimeEvent).size === 0) return;
    const payload = await userModel(this.#site, { id: realtimeEvent.id });
    const send = (user: typeof payload, toKeys: boolean) =>
      this.#send(realtimeEvent, {
        payload: user,
        isPublic: false,
        mayReceive: (viewer) => viewer?.id === realtimeEvent.id && (viewer.sessionId === null) === toKeys,
      });
    send(payload, false);
    send(withoutAddress(payload), true);
  }

  #publish(realtimeEvent: RealtimeEvent, list: ListName, document: Document): void {
    this.#send(realtimeEvent, {
      payload: this.#payload(list, document),
      isPublic: mayReceive(null, list, document),
      mayReceive: (viewer) => mayReceive(viewer, list, document),
    });
  }

  #send(realtimeEvent: RealtimeEvent, content: Pick<RealtimeMessage, "payload" | "isPublic" | "mayReceive">): void {
    const message: RealtimeMessage = {
      ...content,
      channels: channelsOf(realtimeEvent, this.#config),
      events: eventNames(realtimeEvent, this.#config),
    };
    for (const listener of this.#listenersOf(realtimeEvent)) listener.deliver(message);
  }

  #listenersOf(realtimeEvent: RealtimeEvent): Set<RealtimeConnection> {
    return new Set(channelsOf(realtimeEvent, this.#config).flatMap((channel) => [...(this.#connectionsByChannel.get(channel) ?? [])]));
  }

  #payload(list: ListName, document: Document): Record<string, unknown> {
    const config = this.#config;
    if (list === "files") return fileModel(document, config);
    return documentModel(document, { config, collection: list, table: false, format });
  }
}

function toRealtimeEvent({ type, data }: HubEvent): RealtimeEvent | undefined {
  const [list = "", action = "", attribute] = type.split(".");
  const id = String(data.id);
  if (list === "users") return { kind: "user", id, action, attribute };
  if (list === "files") return { kind: "file", id, action };
  const isCollection = (collectionNames as readonly string[]).includes(list);
  return isCollection ? { kind: "document", collection: list as CollectionName, id, action } : undefined;
}

import { documentsTopic } from "#domain/changes.ts";
import { type CollectionName, collectionNames, type Document, type ListName } from "#domain/documents/document.ts";
import { loadDocument, mayHear, removedDocument } from "#domain/documents/live-documents.server.ts";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import type { LoggedEvent } from "#platform/events/event-log.ts";
import { gap } from "#platform/events/events.ts";
import { userModel } from "../account/models.ts";
import { documentModel } from "../documents/models.ts";
import { fileModel } from "../files/models.ts";
import type { News, RealtimeConnection } from "./connection.ts";
import { channelsOf, eventNames, type RealtimeEvent } from "./names.ts";

type Happened = Omit<LoggedEvent, "cursor">;

const format = "2.0.0";

export class Hub {
  readonly #site: Site;
  readonly #config: ApiConfig;
  readonly #listening = new Map<string, Set<RealtimeConnection>>();
  readonly #connections = new Set<RealtimeConnection>();
  readonly #leave: (() => void)[];
  #work: Promise<void> = Promise.resolve();

  constructor(site: Site, config: ApiConfig) {
    this.#site = site;
    this.#config = config;
    const pass = (event: Happened) => {
      this.#work = this.#work
        .then(() => this.#pass(event))
        .catch((err: unknown) => site.log.error({ err, type: event.type }, "events could not be sent to clients"));
    };
    this.#leave = [site.events.subscribe(documentsTopic, pass), site.events.broadcasts.hear(documentsTopic, pass)];
  }

  get connections(): Iterable<RealtimeConnection> {
    return this.#connections;
  }
  get size(): number {
    return this.#connections.size;
  }

  add(connection: RealtimeConnection): void {
    this.#connections.add(connection);
  }

  update(connection: RealtimeConnection, changed: string[]): void {
    if (!this.#connections.has(connection)) return;
    for (const channel of changed) {
      if (!connection.subscriptions.hasChannel(channel)) this.#leaveChannel(connection, channel);
      else this.#listening.set(channel, (this.#listening.get(channel) ?? new Set()).add(connection));
    }
  }

  remove(connection: RealtimeConnection): void {
    this.#connections.delete(connection);
    for (const channel of connection.subscriptions.channels) this.#leaveChannel(connection, channel);
  }

  #leaveChannel(connection: RealtimeConnection, channel: string): void {
    const listeners = this.#listening.get(channel);
    listeners?.delete(connection);
    if (listeners?.size === 0) this.#listening.delete(channel);
  }

  close(): void {
    for (const leave of this.#leave) leave();
  }

  async #pass(event: Happened): Promise<void> {
    // What has been emptied before it was read here, because someone left, is lost as well.
    if (event.type === gap || event.data.id === undefined) {
      // Who comes back reloads.
      for (const connection of this.#connections) connection.close(1001, "events were lost");
      return;
    }
    const happening = happeningOf(event);
    if (!happening) return;
    const channels = channelsOf(happening, this.#config);
    const listeners = new Set(channels.flatMap((channel) => [...(this.#listening.get(channel) ?? [])]));
    if (listeners.size === 0) return;
    const found = await this.#look(event, happening);
    if (!found) return;
    const news: News = { ...found, channels, events: eventNames(happening, this.#config) };
    for (const listener of listeners) listener.tell(news);
  }

  async #look(event: Happened, happening: RealtimeEvent): Promise<Pick<News, "payload" | "isPublic" | "mayHear"> | undefined> {
    if (happening.kind === "user") {
      const payload = await userModel(this.#site, { id: happening.id });
      return { payload, isPublic: false, mayHear: (viewer) => viewer?.id === happening.id };
    }
    const list: ListName = happening.kind === "file" ? "files" : happening.collection;
    const document = happening.action === "delete" ? removedDocument(event.data) : await loadDocument(this.#site, list, happening.id);
    if (!document) return undefined;
    return {
      payload: this.#payload(list, document),
      isPublic: mayHear(null, list, document),
      mayHear: (viewer) => mayHear(viewer, list, document),
    };
  }

  #payload(list: ListName, document: Document): Record<string, unknown> {
    const config = this.#config;
    if (list === "files") return fileModel(document, config);
    return documentModel(document, { config, collection: list, table: false, format });
  }
}

function happeningOf({ type, data }: Happened): RealtimeEvent | undefined {
  const [list = "", action = "", attribute] = type.split(".");
  const id = String(data.id);
  if (list === "users") return { kind: "user", id, action, attribute };
  if (list === "files") return { kind: "file", id, action };
  const isCollection = (collectionNames as readonly string[]).includes(list);
  return isCollection ? { kind: "document", collection: list as CollectionName, id, action } : undefined;
}

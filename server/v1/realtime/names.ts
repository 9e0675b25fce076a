import { type CollectionName, collectionNames } from "#domain/changes.ts";
import type { ApiConfig } from "#platform/config.ts";
import { apiIdPattern } from "#platform/ids.ts";
import { collectionId } from "../documents/documents.ts";

export type RealtimeEvent =
  | { kind: "document"; collection: CollectionName; id: string; action: string }
  | { kind: "file"; id: string; action: string }
  | { kind: "user"; id: string; action: string; attribute: string | undefined };

export function eventNames(event: RealtimeEvent, config: ApiConfig): string[] {
  const { id, action } = event;
  if (event.kind === "user") {
    const [own, any] = [`users.${id}`, "users.*"];
    const { attribute } = event;
    const detailed = attribute ? [`${own}.${action}.${attribute}`, `${any}.${action}.${attribute}`] : [];
    return [...detailed, `${own}.${action}`, `${any}.${action}`, own, any];
  }
  if (event.kind === "file") {
    const files = pathsOf("buckets", config.bucket, pathsOf("files", id));
    return [...files.map((name) => `${name}.${action}`), ...files, ...pathsOf("buckets", config.bucket)];
  }
  const { database } = config;
  const collection = collectionId(config, event.collection);
  const namesFor = (collections: string, documents: string) => {
    const patterns = pathsOf("databases", database, pathsOf(collections, collection, pathsOf(documents, id)));
    const parents = pathsOf("databases", database, pathsOf(collections, collection));
    return [...patterns.map((name) => `${name}.${action}`), ...patterns, ...parents];
  };
  return [...namesFor("collections", "documents"), ...pathsOf("databases", database), ...namesFor("tables", "rows")];
}

/** `a.1.b.2`, `a.1.b.*`, `a.*.b.2`, `a.*.b.*` */
function pathsOf(name: string, id: string, inner?: string[]): string[] {
  const paths = [`${name}.${id}`, `${name}.*`];
  return inner ? paths.flatMap((path) => inner.map((each) => `${path}.${each}`)) : paths;
}

export function channelsOf(event: RealtimeEvent, config: ApiConfig): string[] {
  const base = baseChannels(event, config);
  return [...base, ...base.map((channel) => `${channel}.${event.action}`)];
}

function baseChannels(event: RealtimeEvent, config: ApiConfig): string[] {
  const { id } = event;
  if (event.kind === "user") return ["account", `account.${id}`];
  if (event.kind === "file") return ["files", `buckets.${config.bucket}.files`, `buckets.${config.bucket}.files.${id}`];
  const channels = collectionChannels(config, event.collection);
  return ["documents", "rows", ...channels, ...channels.map((channel) => `${channel}.${id}`)];
}

function collectionChannels(config: ApiConfig, name: CollectionName): string[] {
  const collection = collectionId(config, name);
  return [
    `databases.${config.database}.collections.${collection}.documents`,
    `databases.${config.database}.tables.${collection}.rows`,
    `tablesdb.${config.database}.tables.${collection}.rows`,
  ];
}

const actionSuffix = /\.(create|update|upsert|delete)$/;

export function channelValidator(config: ApiConfig): (name: string) => boolean {
  const channels = collectionNames.flatMap((name) => collectionChannels(config, name));
  channels.push(`buckets.${config.bucket}.files`);
  const exactNames = new Set(["account", "documents", "rows", "files", ...channels]);
  return (name) => {
    const base = name.replace(actionSuffix, "");
    return (
      exactNames.has(base) ||
      channels.some((channel) => base.startsWith(`${channel}.`) && apiIdPattern.test(base.slice(channel.length + 1)))
    );
  };
}

/** Members listen to their own account as `account`; named accounts are not allowed. */
export function isNamedAccount(channel: string): boolean {
  return channel.startsWith("account.") && !/^account\.(create|update|upsert|delete)$/.test(channel);
}

export function unknownChannel(channel: string): string {
  return `Invalid channel: ${channel.slice(0, 100)}`;
}

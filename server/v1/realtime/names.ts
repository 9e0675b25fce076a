import { type CollectionName, collectionNames } from "#domain/changes.ts";
import type { ApiConfig } from "#platform/config.ts";
import { collectionId } from "../documents/documents.ts";

export type RealtimeEvent =
  | { kind: "document"; collection: CollectionName; id: string; action: string }
  | { kind: "file"; id: string; action: string }
  | { kind: "user"; id: string; action: string; attribute: string | undefined };

export function eventNames(happening: RealtimeEvent, config: ApiConfig): string[] {
  const { id, action } = happening;
  if (happening.kind === "user") {
    const [own, any] = [`users.${id}`, "users.*"];
    const { attribute } = happening;
    const detailed = attribute ? [`${own}.${action}.${attribute}`, `${any}.${action}.${attribute}`] : [];
    return [...detailed, `${own}.${action}`, `${any}.${action}`, own, any];
  }
  if (happening.kind === "file") {
    const files = pathsOf([
      ["buckets", config.bucket],
      ["files", id],
    ]);
    return [...files.map((name) => `${name}.${action}`), ...files, ...pathsOf([["buckets", config.bucket]])];
  }
  const { database } = config;
  const collection = collectionId(config, happening.collection);
  const of = (collections: string, documents: string) => {
    const whole = pathsOf([
      ["databases", database],
      [collections, collection],
      [documents, id],
    ]);
    return [
      ...whole.map((name) => `${name}.${action}`),
      ...whole,
      ...pathsOf([
        ["databases", database],
        [collections, collection],
      ]),
    ];
  };
  return [...of("collections", "documents"), ...pathsOf([["databases", database]]), ...of("tables", "rows")];
}

/** `a.1.b.2`, `a.1.b.*`, `a.*.b.2`, `a.*.b.*` */
function pathsOf(parts: [string, string][]): string[] {
  return parts.reduce<string[]>(
    (paths, [name, id]) => paths.flatMap((path) => [id, "*"].map((each) => (path ? `${path}.${name}.${each}` : `${name}.${each}`))),
    [""],
  );
}

export function channelsOf(happening: RealtimeEvent, config: ApiConfig): string[] {
  const plain = plainChannels(happening, config);
  return [...plain, ...plain.map((channel) => `${channel}.${happening.action}`)];
}

function plainChannels(happening: RealtimeEvent, config: ApiConfig): string[] {
  const { id } = happening;
  if (happening.kind === "user") return ["account", `account.${id}`];
  if (happening.kind === "file") return ["files", `buckets.${config.bucket}.files`, `buckets.${config.bucket}.files.${id}`];
  const places = placesOf(config, happening.collection);
  return ["documents", "rows", ...places, ...places.map((place) => `${place}.${id}`)];
}

function placesOf(config: ApiConfig, name: CollectionName): string[] {
  const collection = collectionId(config, name);
  return [
    `databases.${config.database}.collections.${collection}.documents`,
    `databases.${config.database}.tables.${collection}.rows`,
    `tablesdb.${config.database}.tables.${collection}.rows`,
  ];
}

const anyAction = /\.(create|update|upsert|delete)$/;
const resourceId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;

export function channelGrammar(config: ApiConfig): (name: string) => boolean {
  const places = collectionNames.flatMap((name) => placesOf(config, name));
  places.push(`buckets.${config.bucket}.files`);
  const whole = new Set(["account", "documents", "rows", "files", ...places]);
  return (name) => {
    const plain = name.replace(anyAction, "");
    return whole.has(plain) || places.some((place) => plain.startsWith(`${place}.`) && resourceId.test(plain.slice(place.length + 1)));
  };
}

/** Members listen to their own account as `account`; named accounts are not allowed. */
export function isSomebodysAccount(channel: string): boolean {
  return channel.startsWith("account.") && !/^account\.(create|update|upsert|delete)$/.test(channel);
}

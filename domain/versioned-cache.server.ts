import type { Site } from "./site.ts";

/** Overhead of an entry, besides two bytes for each character of its key. */
const entryBytes = 500;

/** Caches values of one kind until the next commit of any process. All kinds share the bytes of `site.memory.unchanged`. */
export class VersionedCache<Value> {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Of any version: if false, the version need not be read. */
  has({ memory }: Site, key: string): boolean {
    return memory.unchanged.has(`${this.#kind} ${key}`);
  }

  get({ memory }: Site, key: string, version: string | undefined): Value | undefined {
    const found = memory.unchanged.get(`${this.#kind} ${key}`);
    return found?.version === version ? (found?.value as Value | undefined) : undefined;
  }

  /** Only for values that are the same for all viewers. */
  async read(site: Site, key: string, make: () => Promise<Value>): Promise<Value> {
    const version = await site.versions.database().catch(() => undefined);
    const known = this.get(site, key, version);
    if (known !== undefined) return known;
    const value = await make();
    if (version) this.set(site, key, { version, value, bytes: 2 * JSON.stringify(value).length });
    return value;
  }

  /** @param bytes - without the key. */
  set({ memory }: Site, key: string, { version, value, bytes }: { version: string; value: Value; bytes: number }): void {
    const name = `${this.#kind} ${key}`;
    memory.unchanged.set(name, { version, value }, bytes + 2 * name.length + entryBytes);
  }
}

/** Changes with the database and the settings. Undefined during an outage. @param known - the database version, if known */
export async function siteVersion({ versions, settings }: Site, known?: string): Promise<string | undefined> {
  return withSettings(settings, known ?? (await versions.database().catch(() => undefined)));
}

export async function pageVersion({ versions, settings }: Site): Promise<string | undefined> {
  return withSettings(settings, await versions.content().catch(() => undefined));
}

function withSettings(settings: Site["settings"], version: string | undefined): string | undefined {
  return version && `${version} ${JSON.stringify(settings)}`;
}

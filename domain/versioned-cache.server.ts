import type { Site } from "./site.ts";

/** Beside what a value weighs: its entry, and two bytes for each character of its key. */
const entryBytes = 500;

/**
 * Values of one kind that were made while the site was at a version, and are good for as long as it is at that version: until then
 * they would be made again the same. All kinds share the bytes of `site.memory.unchanged`.
 */
export class VersionedCache<Value> {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Whether there is one, of whatever version: otherwise nobody has to ask for the version. */
  has({ memory }: Site, key: string): boolean {
    return memory.unchanged.has(`${this.#kind} ${key}`);
  }

  get({ memory }: Site, key: string, version: string | undefined): Value | undefined {
    const found = memory.unchanged.get(`${this.#kind} ${key}`);
    return found?.version === version ? (found?.value as Value | undefined) : undefined;
  }

  /** What `make` gives or, at the same version of the database, gave before: for what is the same for everybody. */
  async read(site: Site, key: string, make: () => Promise<Value>): Promise<Value> {
    const version = await site.versions.database().catch(() => undefined);
    const known = this.get(site, key, version);
    if (known !== undefined) return known;
    const value = await make();
    if (version) this.set(site, key, { version, value, bytes: 2 * JSON.stringify(value).length });
    return value;
  }

  /** `bytes` without those of the key. */
  set({ memory }: Site, key: string, { version, value, bytes }: { version: string; value: Value; bytes: number }): void {
    const name = `${this.#kind} ${key}`;
    memory.unchanged.set(name, { version, value }, bytes + 2 * name.length + entryBytes);
  }
}

/**
 * Of everything that answers are made of. Undefined while the database does not answer.
 * @param known the database's version, where the request has asked for it already.
 */
export async function siteVersion({ versions, settings }: Site, known?: string): Promise<string | undefined> {
  return withSettings(settings, known ?? (await versions.database().catch(() => undefined)));
}

export async function pageVersion({ versions, settings }: Site): Promise<string | undefined> {
  return withSettings(settings, await versions.content().catch(() => undefined));
}

function withSettings(settings: Site["settings"], version: string | undefined): string | undefined {
  return version && `${version} ${JSON.stringify(settings)}`;
}

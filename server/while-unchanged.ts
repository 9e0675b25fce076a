import type { Site } from "#domain/site.ts";

/** Beside what a value weighs: its entry, and two bytes for each character of its key. */
const entryBytes = 500;

/**
 * Values of one kind that were made while the site was at a version, and are good for as long as it is at that version: until then
 * they would be made again the same. All kinds share the bytes of `site.memory.unchanged`.
 */
export class WhileUnchanged<Value> {
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

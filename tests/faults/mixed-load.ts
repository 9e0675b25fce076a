import { setTimeout as wait } from "node:timers/promises";
import { readNotificationSettings } from "#domain/notifications/preferences.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { addMember, signIn } from "../support/members.ts";
import { password } from "../support/people.ts";
import type { RunningServer } from "../support/process.ts";
import { publish } from "./crash.ts";

type Person = { member: Member; cookie: string };

/**
 * Repeats one action until it is stopped, and records acknowledged writes. A write in progress when the server dies may be saved or not.
 */
abstract class Client {
  acknowledged = 0;
  /** Other than success; 0 without a response. */
  readonly refused = new Map<number, number>();
  readonly person: Person;
  #ended = false;
  protected turn = 0;

  constructor(person: Person) {
    this.person = person;
  }

  /** @returns the status and whether the write was acknowledged. */
  protected abstract act(server: RunningServer): Promise<{ status: number; saved: boolean }>;
  /** Acknowledged writes that are missing or different. */
  abstract lost(site: Site): Promise<string[]>;

  async run(server: () => RunningServer): Promise<void> {
    for (this.#ended = false; !this.#ended; this.turn++) {
      const { status, saved } = await this.act(server()).catch(() => ({ status: 0, saved: false }));
      if (saved) this.acknowledged++;
      else {
        this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
        await wait(20);
      }
    }
  }

  end(): void {
    this.#ended = true;
  }

  protected async post({ url }: RunningServer, path: string, fields: Record<string, string>, more: Record<string, string> = {}) {
    const headers = { cookie: this.person.cookie, origin: url, ...more };
    const response = await fetch(url + path, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });
    await response.arrayBuffer();
    return response;
  }
}

class Author extends Client {
  readonly #published: string[] = [];

  protected async act(server: RunningServer) {
    const slug = `${this.person.member.id}-${this.turn}`;
    const response = await publish(server, this.person.cookie, slug);
    await response.arrayBuffer();
    const saved = response.headers.get("location") === `/post/${slug}`;
    if (saved) this.#published.push(slug);
    return { status: response.status, saved };
  }

  async lost({ db, files }: Site): Promise<string[]> {
    const rows = await db.selectFrom("posts").select(["id", "featuredImage"]).where("userId", "=", this.person.member.id).execute();
    const pictures = new Map(rows.map(({ id, featuredImage }) => [id, featuredImage]));
    const saved = await Promise.all(
      this.#published.map(async (slug) => pictures.has(slug) && (await files.size(`${pictures.get(slug)}/original`)) !== undefined),
    );
    return this.#published.filter((_, index) => !saved[index]);
  }
}

class Reader extends Client {
  readonly #known = new Map<string, boolean>();

  protected async act(server: RunningServer) {
    const [id, wanted] = [`story-${this.turn % posts}`, Math.floor(this.turn / posts) % 2 === 0];
    // Until the response, either state is correct.
    this.#known.delete(id);
    const { status } = await this.post(server, `/post/${id}/react`, { reaction: "like", wanted: wanted ? "yes" : "no", scripted: "yes" });
    if (status === 200) this.#known.set(id, wanted);
    return { status, saved: status === 200 };
  }

  async lost({ db }: Site): Promise<string[]> {
    const rows = await db.selectFrom("likes").select("postId").where("userId", "=", this.person.member.id).execute();
    const liked = new Set(rows.map(({ postId }) => postId));
    return [...this.#known].filter(([id, wanted]) => liked.has(id) !== wanted).map(([id, wanted]) => `like of ${id}: ${wanted}`);
  }
}

class Correspondent extends Client {
  readonly #sent: string[] = [];
  readonly #partner: string;

  constructor(person: Person, partner: string) {
    super(person);
    this.#partner = partner;
  }

  /** Like the browser's queue: repeats a message until it is acknowledged. */
  protected async act(server: RunningServer) {
    const sendId = `${this.person.member.id}-${this.#sent.length}`;
    const { status } = await this.post(server, `/messages/${this.#partner}/send`, { text: `Number ${this.#sent.length}`, sendId });
    if (status === 200) this.#sent.push(sendId);
    await wait(500); // The limit is 120 a minute.
    return { status, saved: status === 200 };
  }

  async lost({ db }: Site): Promise<string[]> {
    const { id } = this.person.member;
    const rows = await db.selectFrom("messages").select("sendId").where("senderId", "=", id).orderBy("number").execute();
    const saved = rows.map(({ sendId }) => sendId);
    const doubled = saved.filter((sendId, index) => saved.indexOf(sendId) !== index);
    return [...this.#sent.filter((sendId, index) => saved[index] !== sendId), ...doubled];
  }
}

class Newcomer extends Client {
  readonly #joined: string[] = [];

  protected async act(server: RunningServer) {
    const email = `${this.person.member.id}-${this.turn}@example.com`;
    const fields = { name: `Newcomer ${this.turn}`, email, password };
    // A new network for each: only a few may join from one.
    const network = { cookie: "", "x-forwarded-for": `10.${(this.turn >> 16) & 255}.${(this.turn >> 8) & 255}.${this.turn & 255}` };
    const { status } = await this.post(server, "/signup", fields, network);
    if (status === 302) this.#joined.push(email);
    return { status, saved: status === 302 };
  }

  async lost({ db }: Site): Promise<string[]> {
    const rows = await db
      .withTables<{ accounts: { userId: string } }>()
      .selectFrom("users")
      .innerJoin("accounts", "accounts.userId", "users.id")
      .select("email")
      .execute();
    const saved = new Set(rows.map(({ email }) => email));
    return this.#joined.filter((email) => !saved.has(email));
  }
}

const zones = ["Europe/Lisbon", "Asia/Tokyo", "America/Lima", "Africa/Nairobi"];

class SettingsChanger extends Client {
  #possible: string[] = [];

  protected async act(server: RunningServer) {
    const timeZone = zones[this.turn % zones.length] as string;
    this.#possible.push(timeZone);
    const { status } = await this.post(server, "/notifications/settings", { timeZone });
    if (status === 302) this.#possible = [timeZone];
    return { status, saved: status === 302 };
  }

  async lost(site: Site): Promise<string[]> {
    const { timeZone } = await readNotificationSettings(site, this.person.member);
    return this.#possible.length === 0 || this.#possible.includes(timeZone ?? "") || this.acknowledged === 0
      ? []
      : [`settings: ${timeZone} instead of ${this.#possible.join(" or ")}`];
  }
}

const posts = 20;
/** Long, for busy machines. */
const progressTimeoutMs = 120_000;

export type MixedLoad = {
  clients: Client[];
  /** Acknowledged writes of all. */
  acknowledged(): number;
  /** Counts of other statuses; 0 without a response. */
  refused(): Map<number, number>;
  /** Waits until each of these clients, or all, had another acknowledgment. @throws Error after a while */
  progress(of?: number[]): Promise<void>;
  /** @returns a function that stops them and waits for requests in progress. */
  run(server: () => RunningServer): () => Promise<void>;
  lost(site: Site): Promise<string[]>;
};

/** Concurrent clients that publish with pictures, like, send messages, sign up and change settings. */
export async function openMixedLoad(site: Site, server: RunningServer): Promise<MixedLoad> {
  // Above the default limit per member.
  await saveSettings(site, await addMember({ site }, "Ruth Castellanos", { staff: "administrator" }), { maxPostsPerUser: 100_000 });
  const join = async (name: string): Promise<Person> => {
    const member = await addMember({ site }, name, { email: `${name.toLowerCase().replaceAll(" ", ".")}@mixed.example` });
    return { member, cookie: (await signIn({ site }, member)).cookie };
  };
  const [ada, bert, chidi, dora, emre] = [
    await join("Ada Oyelaran"),
    await join("Bert Vos"),
    await join("Chidi Obi"),
    await join("Dora Kern"),
    await join("Emre Aksoy"),
  ];
  for (let n = 0; n < posts; n++) await (await publish(server, emre.cookie, `story-${n}`)).arrayBuffer();
  const clients: Client[] = [
    new Author(ada),
    new Author(bert),
    new Reader(chidi),
    new Reader(dora),
    new Correspondent(ada, bert.member.id),
    new Correspondent(bert, ada.member.id),
    new Newcomer(emre),
    new SettingsChanger(dora),
  ];
  const refused = () => {
    const all = new Map<number, number>();
    for (const each of clients) for (const [status, times] of each.refused) all.set(status, (all.get(status) ?? 0) + times);
    return all;
  };
  return {
    clients,
    refused,
    acknowledged: () => clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    async progress(of = clients.map((_, index) => index)) {
      const before = clients.map(({ acknowledged }) => acknowledged);
      const end = performance.now() + progressTimeoutMs;
      while (of.some((index) => (clients[index]?.acknowledged ?? 0) === before[index])) {
        if (performance.now() > end) throw new Error(`no more writes are acknowledged: ${JSON.stringify([...refused()])}`);
        await wait(5);
      }
    },
    run(server) {
      const running = clients.map((client) => client.run(server));
      return async () => {
        for (const client of clients) client.end();
        await Promise.all(running);
      };
    },
    lost: async (site) => (await Promise.all(clients.map((client) => client.lost(site)))).flat(),
  };
}

import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { hashPassword } from "#domain/accounts/sign-in/password-hashes.server.ts";
import type { Site } from "#domain/site.ts";
import { addMember, signIn } from "../support/members.ts";
import { password } from "../support/people.ts";
import { picture } from "../support/pictures.ts";
import { type Messenger, openMessenger } from "./messenger.ts";
import { ResponseCounts, RetryingClient } from "./retrying-client.ts";

export type Community = {
  answers: ResponseCounts;
  /** Totals so far. */
  messages(): number;
  /** Stops the members and waits until all messages have arrived. @throws Error naming acknowledged but lost writes */
  end(): Promise<void>;
};

type Simulation = { site: Site; url: string; answers: ResponseCounts; pauseMs: number; members: SimulatedMember[] };

/** A member with more deletes the oldest, so that the site doesn't grow. */
const postsEach = 2;
const messagesTimeoutMs = 120_000;

/** Frequencies of actions, of 200. */
const frequencies: [times: number, what: (member: SimulatedMember) => Promise<unknown>][] = [
  [80, (each) => each.read(each.randomPath())],
  [24, (each) => each.post(`/post/${each.randomPost()}/view`, {})],
  [
    24,
    (each) =>
      each.post(`/post/${each.randomPost()}/react`, { reaction: "like", wanted: Math.random() < 0.6 ? "yes" : "no", scripted: "yes" }),
  ],
  [24, async (each) => each.write()],
  [16, (each) => each.type()],
  [10, (each) => each.read("/notifications")],
  [6, (each) => each.post(`/profile/${each.otherMember().id}/follow`, { following: Math.random() < 0.6 ? "yes" : "no", scripted: "yes" })],
  [4, (each) => each.post("/notifications/settings", { timeZone: "Europe/Lisbon" })],
  [4, (each) => each.publish()],
  [3, (each) => each.signInElsewhere()],
  [2, (each) => each.signUpGuest()],
  [2, (each) => each.post("/forgot-password", { email: each.email })],
  [1, (each) => each.post("/subscribe", { email: `reader-${Math.random()}@mixed.example` })],
];
const weightedActions = frequencies.flatMap(([times, what]) => Array.from({ length: times }, () => what));

const randomOf = <Thing>(things: readonly Thing[]) => things[Math.floor(Math.random() * things.length)] as Thing;

class SimulatedMember extends RetryingClient {
  readonly email: string;
  id = "";
  partner: SimulatedMember = this;
  tab: Messenger | undefined;
  readonly published: string[] = [];
  readonly sent: string[] = [];
  readonly #simulation: Simulation;
  readonly #number: number;
  #turn = 0;

  constructor(simulation: Simulation, number: number) {
    super(simulation.url, number + 1, simulation.answers);
    this.#simulation = simulation;
    this.#number = number;
    this.email = `member-${number}@mixed.example`;
  }

  /** Confirmed and signed in, with a first story. */
  async join(passwordHash: string): Promise<void> {
    const { site } = this.#simulation;
    const member = await addMember({ site }, `Member ${this.#number}`, { email: this.email });
    this.id = member.id;
    await addPassword(site, member.id, passwordHash);
    this.cookie = (await signIn({ site }, member)).cookie;
    await this.publish();
  }

  async openChat(partner: SimulatedMember): Promise<void> {
    this.partner = partner;
    const { url, cookie, id: personId } = this;
    const pause = () => wait(200);
    this.tab = await openMessenger({ url, cookie, personId, partnerId: partner.id, waitUntilReady: false, pause });
  }

  async run(): Promise<void> {
    while (!this.ended) {
      await randomOf(weightedActions)(this).catch((error) => {
        if (!this.ended) throw error;
      });
      await wait(this.#simulation.pauseMs * (0.5 + Math.random()));
    }
  }

  stop(): void {
    this.ended = true;
  }

  otherMember(): SimulatedMember {
    return randomOf(this.#simulation.members.filter((each) => each !== this));
  }

  randomPost(): string {
    return randomOf(randomOf(this.#simulation.members.filter(({ published }) => published.length > 0)).published);
  }

  randomPath(): string {
    return randomOf([
      "/",
      "/all-posts",
      `/post/${this.randomPost()}`,
      `/post/${this.randomPost()}`,
      `/profile/${this.otherMember().id}`,
      "/featured-writers",
    ]);
  }

  write(): void {
    // The limit is 120 a minute, and a stalled queue needs no more.
    if (!this.tab || this.tab.box.items.length > 10) return;
    const text = `Number ${this.sent.length}`;
    this.sent.push(text);
    this.tab.put(text);
  }

  async publish(): Promise<void> {
    const slug = `story-${this.#number}-${this.#turn++}`;
    const { name, bytes } = await picture();
    const body = () => {
      const form = new FormData();
      for (const [field, value] of Object.entries({ title: slug, slug, content: `Words of ${slug}.`, status: "active" }))
        form.set(field, value);
      form.set("featuredImage", new File([new Uint8Array(bytes)], name, { type: "image/jpeg" }));
      return form;
    };
    const response = await this.ask("POST", "/add-post", body);
    // A repeated sign-up finds its own address taken.
    const isThere = response.location === `/post/${slug}` || (await this.read(`/post/${slug}`)).status === 200;
    if (!isThere) throw new Error(`publishing answers ${response.status}: ${response.text}`);
    this.published.push(slug);
    if (this.published.length > postsEach) await this.post(`/post/${this.published.shift()}/delete`, { confirmed: "yes" });
  }

  /** Begins a draft, saves it a few times, and discards it. */
  async type(): Promise<void> {
    const id = `${this.id}.draft-${this.#turn++}`;
    let base: number | null = null;
    for (let count = 1; count <= 3; count++) {
      const draft = {
        title: "Unfinished",
        slug: "",
        slugTyped: false,
        content: "word ".repeat(count * 20),
        status: "active",
        featuredImage: null,
      };
      const save = JSON.stringify({ id, userId: this.id, postId: null, postVersion: null, base, writer: `writer-of-${id}`, count, draft });
      const { status, text } = await this.post("/drafts/save", { save });
      if (status !== 200) throw new Error(`a save answers ${status}: ${text}`);
      base = (JSON.parse(text) as { revision: number }).revision;
    }
    await this.post(`/drafts/${id}/discard`, { confirmed: "yes" });
  }

  /** On another device: signing out would end all sessions of this one too. */
  async signInElsewhere(): Promise<void> {
    await new RetryingClient(this.url, this.#number + 1, this.answers).post("/login", { email: this.email, password });
  }

  async signUpGuest(): Promise<void> {
    const name = `Guest of ${this.#number} ${this.#turn++}`;
    const email = `${name.toLowerCase().replaceAll(" ", "-")}@mixed.example`;
    await new RetryingClient(this.url, 100_000 + this.#number, this.answers).post("/signup", { name, email, password });
  }
}

/** Simulates pairs of members that use the whole site until `end`, one action per `pauseMs`. */
export async function openCommunity(
  site: Site,
  { url, people, pauseMs }: { url: string; people: number; pauseMs: number },
): Promise<Community> {
  const simulation: Simulation = { site, url, pauseMs, answers: new ResponseCounts(), members: [] };
  const { members, answers } = simulation;
  const all = Array.from({ length: people }, (_, number) => new SimulatedMember(simulation, number));
  const passwordHash = await hashPassword(password);
  for (const each of all) await each.join(passwordHash);
  members.push(...all);
  for (const [index, each] of all.entries()) await each.openChat(all[index ^ 1] as SimulatedMember);
  const running = Promise.all(all.map((each) => each.run()));
  running.catch(() => {}); // `end` throws it.
  return {
    answers,
    messages: () => all.reduce((sum, { sent }) => sum + sent.length, 0),
    async end() {
      for (const each of all) each.stop();
      await running;
      await settle(all);
      await checkDelivery(site, all);
      for (const { tab } of all) tab?.close();
    },
  };
}

async function addPassword({ db, now }: Site, userId: string, password: string): Promise<void> {
  const date = new Date(now()).toISOString();
  const account = {
    id: `account-${userId}`,
    userId,
    accountId: userId,
    providerId: "credential",
    password,
    createdAt: date,
    updatedAt: date,
  };
  await db.withTables<{ accounts: Record<string, unknown> }>().insertInto("accounts").values(account).execute();
}

async function settle(all: SimulatedMember[]): Promise<void> {
  const end = performance.now() + messagesTimeoutMs;
  const isDone = () =>
    all.every(({ tab, sent, partner }) => tab?.box.items.length === 0 && tab.texts().length === sent.length + partner.sent.length);
  while (!isDone() && performance.now() < end) await wait(50);
  if (!isDone()) throw new Error("sent messages did not arrive");
}

/** Checks that all messages are there once and in order on both sides, and all stories. */
async function checkDelivery({ db }: Site, all: SimulatedMember[]): Promise<void> {
  for (const { id, sent, published, partner, tab } of all) {
    const rows = await db
      .selectFrom("messages")
      .select(["message", "senderId"])
      .where((eb) => eb.or([eb.and({ senderId: id, receiverId: partner.id }), eb.and({ senderId: partner.id, receiverId: id })]))
      .orderBy("number")
      .execute();
    const own = rows.filter(({ senderId }) => senderId === id).map(({ message }) => message);
    if (!isDeepStrictEqual(own, sent)) throw new Error(`messages: ${own.length} instead of ${sent.length}, or in another order`);
    const there = rows.map(({ message }) => message);
    if (!isDeepStrictEqual(tab?.texts(), there)) throw new Error("the shown conversation differs from the stored one");
    const posts = await db.selectFrom("posts").select("id").where("userId", "=", id).execute();
    const missing = published.filter((slug) => !posts.some((post) => post.id === slug));
    if (missing.length > 0) throw new Error(`published and lost: ${missing.join(", ")}`);
  }
}

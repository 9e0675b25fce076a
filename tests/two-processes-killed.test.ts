import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Member } from "#domain/site.ts";
import { checkPosts, isPostComplete, publish } from "./faults/crash.ts";
import { addMember, signIn } from "./support/members.ts";
import type { RunningServer } from "./support/process.ts";
import { type RunningS3, startS3 } from "./support/s3.ts";
import { startTwoServers, type TwoServers } from "./support/two-servers.ts";

const kills = 2;
const posts = 10;

let s3: RunningS3;
let place: ReturnType<RunningS3["place"]>;
let servers: TwoServers;
beforeEach(async () => {
  s3 = await startS3();
  place = s3.place();
  servers = await startTwoServers(s3.environment(place));
});
afterEach(async () => {
  await servers?.close();
  await s3?.close();
});

/** Repeats an action, each time through the next process, and continues without a response. */
abstract class Client {
  /** Acknowledged actions. */
  acknowledged = 0;
  readonly member: Member;
  protected readonly cookie: string;
  #ended = false;

  constructor(member: Member, cookie: string) {
    this.member = member;
    this.cookie = cookie;
  }

  protected abstract act(server: RunningServer, turn: number): Promise<boolean>;

  async run(): Promise<void> {
    for (let turn = 0; !this.#ended; turn++) {
      const server = turn % 2 === 0 ? servers.first : servers.second;
      if (await this.act(server, turn).catch(() => false)) this.acknowledged++;
      else await sleep(20);
    }
  }

  end(): void {
    this.#ended = true;
  }

  protected async post(server: RunningServer, path: string, fields: Record<string, string>): Promise<Response> {
    const headers = { cookie: this.cookie, origin: server.url };
    return fetch(server.url + path, { method: "POST", body: new URLSearchParams(fields), headers });
  }
}

class Author extends Client {
  readonly published: string[] = [];

  protected async act(server: RunningServer, turn: number): Promise<boolean> {
    const slug = `${this.member.name.toLowerCase().replaceAll(" ", "-")}-${turn}`;
    const response = await publish(server, this.cookie, slug);
    await response.arrayBuffer();
    const done = response.status === 302 && response.headers.get("location") === `/post/${slug}`;
    if (done) this.published.push(slug);
    return done;
  }
}

class Reader extends Client {
  readonly known = new Map<string, boolean>();

  protected async act(server: RunningServer, turn: number): Promise<boolean> {
    // An odd number: otherwise each story would always be liked through the same process.
    const [id, wanted] = [`story-${turn % (posts - 1)}`, Math.floor(turn / (posts - 1)) % 2 === 0];
    this.known.delete(id);
    const response = await this.post(server, `/post/${id}/react`, { reaction: "like", wanted: wanted ? "yes" : "no", scripted: "yes" });
    await response.arrayBuffer();
    if (response.status === 200) this.known.set(id, wanted);
    return response.status === 200;
  }
}

class Correspondent extends Client {
  readonly partner: Member;
  /** Ids of acknowledged messages. */
  readonly sent: string[] = [];
  #next = 0;

  constructor(member: Member, cookie: string, partner: Member) {
    super(member, cookie);
    this.partner = partner;
  }

  /** Like the browser's queue: repeats a message until it is acknowledged. */
  protected async act(server: RunningServer): Promise<boolean> {
    const sendId = `${this.member.id}-${this.#next}`;
    const response = await this.post(server, `/messages/${this.partner.id}/send`, { text: `Number ${this.#next}`, sendId });
    await response.arrayBuffer();
    if (response.status !== 200) return false;
    this.#next++;
    this.sent.push(sendId);
    await sleep(500); // The limit is 120 a minute.
    return true;
  }
}

async function startClients() {
  const { site, first } = servers;
  const join = async (name: string) => {
    const member = await addMember({ site }, name);
    return { member, cookie: (await signIn({ site }, member)).cookie };
  };
  const [ada, bert, chidi, dora, emre] = await Promise.all(["Ada Oyelaran", "Bert Vos", "Chidi Obi", "Dora Kern", "Emre Aksoy"].map(join));
  if (!ada || !bert || !chidi || !dora || !emre) throw new Error("A member is missing.");
  for (let n = 0; n < posts; n++) await publish(first, ada.cookie, `story-${n}`);
  return {
    authors: [new Author(ada.member, ada.cookie), new Author(bert.member, bert.cookie)],
    readers: [chidi, dora, emre].map(({ member, cookie }) => new Reader(member, cookie)),
    correspondents: [new Correspondent(ada.member, ada.cookie, bert.member), new Correspondent(bert.member, bert.cookie, ada.member)],
  };
}

test("two processes on one PostgreSQL and one S3, killed in turn under load, lose nothing acknowledged and leave nothing partial", async () => {
  const { authors, readers, correspondents } = await startClients();
  const all = [...authors, ...readers, ...correspondents];
  const ended = Promise.all(all.map((client) => client.run()));
  const progress = (by: Client[]) => Math.min(...by.map(({ acknowledged }) => acknowledged));
  const waitForProgress = async () => {
    const before = all.map(({ acknowledged }) => acknowledged);
    await expect.poll(() => all.every((client, i) => client.acknowledged > (before[i] ?? 0)), { timeout: 120_000 }).toBe(true);
  };

  for (let kill = 0; kill < kills; kill++) {
    const victim = kill % 2 === 0 ? servers.first : servers.second;
    await waitForProgress();
    await sleep(Math.random() * 300);
    await victim.kill();
    await waitForProgress(); // The other one continues alone.
    await victim.start();
  }
  await waitForProgress();
  for (const client of all) client.end();
  await ended;

  expect(progress(all)).toBeGreaterThan(kills);
  for (const server of [servers.first, servers.second])
    for (const { published } of authors)
      for (const slug of published) expect([slug, await isPostComplete(server.url, slug)]).toEqual([slug, true]);
  await checkPosts(servers.site, listFileIds);
  expect(await lostLikes(readers)).toEqual([]);
  for (const { sent, member } of correspondents) expect(await sentBy(member)).toEqual(sent);
  expect(await numbers()).toEqual(correspondents.flatMap(({ sent }) => sent).map((_, index) => index + 1));
}, 600_000);

const listFileIds = () => [...new Set(s3.keys(place).map((key) => key.split("/")[0] ?? ""))].filter((folder) => folder !== "probe");

/** Acknowledged changes that are missing. */
async function lostLikes(readers: Reader[]): Promise<string[]> {
  const rows = await servers.site.db.selectFrom("likes").select(["postId", "userId"]).execute();
  const there = new Set(rows.map(({ postId, userId }) => `${userId} ${postId}`));
  return readers.flatMap(({ member, known }) =>
    [...known].filter(([id, wanted]) => there.has(`${member.id} ${id}`) !== wanted).map(([id, wanted]) => `${member.name} ${id} ${wanted}`),
  );
}

async function sentBy({ id }: Member): Promise<string[]> {
  const rows = await servers.site.db.selectFrom("messages").select("sendId").where("senderId", "=", id).orderBy("number").execute();
  return rows.map(({ sendId }) => sendId);
}

async function numbers(): Promise<number[]> {
  const rows = await servers.site.db.selectFrom("messages").select("number").orderBy("number").execute();
  return rows.map(({ number }) => number);
}

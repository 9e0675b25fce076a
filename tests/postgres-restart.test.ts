import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPost } from "#domain/posts/posts.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type Cluster, openCluster } from "./postgres/cluster.ts";
import { addMember, signIn } from "./support/members.ts";
import { picture } from "./support/pictures.ts";
import { type RunningServer, startServer } from "./support/process.ts";

const posts = 40;
const writers = 8;

let cluster: Cluster;
let server: RunningServer;
let site: Site;
beforeEach(async () => {
  cluster = await openCluster(["fsync=off", "max_connections=60"]);
  server = await startServer({ DATABASE_URL: cluster.url, SECRET: "a secret that only the tests know" });
  site = await openSite(readConfig(server.environment), createLog("silent"));
});
afterEach(async () => {
  await closeSite(site);
  await server.close();
  await cluster.close();
});

type Answer = { status: number; retryAfter: string | null };

/** Likes and unlikes stories in turn, and records each one's last response. */
class Writer {
  readonly answers: Answer[] = [];
  readonly known = new Map<string, boolean>();
  readonly member: Member;
  readonly #headers: Record<string, string>;
  #ended = false;

  constructor(member: Member, cookie: string) {
    this.member = member;
    this.#headers = { cookie, origin: server.url };
  }

  async run(): Promise<void> {
    for (let i = 0; !this.#ended; i++) await this.#write(`story-${i % posts}`, Math.floor(i / posts) % 2 === 0);
  }

  end(): void {
    this.#ended = true;
  }

  async #write(id: string, wanted: boolean): Promise<void> {
    const body = new URLSearchParams({ reaction: "like", wanted: wanted ? "yes" : "no", scripted: "yes" });
    // Until the response, either state is correct.
    this.known.delete(id);
    const response = await fetch(`${server.url}/post/${id}/react`, { method: "POST", body, headers: this.#headers });
    await response.arrayBuffer();
    this.answers.push({ status: response.status, retryAfter: response.headers.get("retry-after") });
    if (response.status === 200) this.known.set(id, wanted);
    else await sleep(20);
  }
}

async function startWriters(): Promise<{ all: Writer[]; ended: Promise<unknown> }> {
  const author = await addMember({ site }, "Maren Oduya");
  const bytes = await picture();
  for (let i = 0; i < posts; i++)
    await createPost(site, author, { title: `Story ${i}`, slug: `story-${i}`, content: "", status: "active" }, bytes);
  const all: Writer[] = [];
  for (let i = 0; i < writers; i++) {
    const member = await addMember({ site }, `Writer ${i}`);
    all.push(new Writer(member, (await signIn({ site }, member)).cookie));
  }
  return { all, ended: Promise.all(all.map((writer) => writer.run())) };
}

async function statusOf(path: string): Promise<number> {
  return (await fetch(`${server.url}${path}`)).status;
}

test("a restart of PostgreSQL under load causes 503, recovery, and no loss of acknowledged writes", async () => {
  const { all, ended } = await startWriters();
  const count = (status: number) => all.flatMap(({ answers }) => answers).filter((response) => response.status === status).length;

  for (const how of ["fast", "immediate"] as const) {
    const before = count(200);
    await expect.poll(() => count(200)).toBeGreaterThan(before + 50);
    await cluster.stop(how);
    const refused = count(503);
    await expect.poll(() => count(503)).toBeGreaterThan(refused + writers);
    const page = await fetch(`${server.url}/`);
    expect(page.status).toBe(503);
    expect(page.headers.get("retry-after")).toBe("10");
    expect(await page.text()).toContain("Try Again");
    expect(await statusOf("/healthz")).toBe(200);
    await expect.poll(() => statusOf("/readyz")).toBe(503);

    await cluster.start();
    await expect.poll(() => statusOf("/")).toBe(200);
    await expect.poll(() => statusOf("/readyz")).toBe(200);
  }

  const before = count(200);
  await expect.poll(() => count(200)).toBeGreaterThan(before + 50);
  for (const writer of all) writer.end();
  await ended;

  const answers = all.flatMap((writer) => writer.answers);
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 503]);
  expect(answers.filter(({ status, retryAfter }) => status === 503 && retryAfter !== "10")).toEqual([]);
  expect(await lost(all)).toEqual([]);
  expect(await miscounted()).toEqual([]);
}, 600_000);

/** Acknowledged changes that are missing. */
async function lost(all: Writer[]): Promise<string[]> {
  const rows = await site.db.selectFrom("likes").select(["postId", "userId"]).execute();
  const there = new Set(rows.map(({ postId, userId }) => `${userId} ${postId}`));
  return all.flatMap(({ member, known }) =>
    [...known].filter(([id, wanted]) => there.has(`${member.id} ${id}`) !== wanted).map(([id, wanted]) => `${member.name} ${id} ${wanted}`),
  );
}

async function miscounted(): Promise<string[]> {
  const rows = await site.db
    .selectFrom("posts")
    .select(["id", "likesCount"])
    .select((eb) =>
      eb
        .selectFrom("likes")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("likes.postId", "=", "posts.id")
        .as("likes"),
    )
    .execute();
  return rows.filter(({ likesCount, likes }) => likesCount !== likes).map(({ id }) => id);
}

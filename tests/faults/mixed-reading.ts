import { setTimeout as wait } from "node:timers/promises";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { setPostStatus, updatePost } from "#domain/posts/update-post.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { addMember, signIn } from "../support/members.ts";
import { picture } from "../support/pictures.ts";
import { startTwoServers } from "../support/two-servers.ts";

/** `hiddenForMs`: the longest time that a hidden story was still shown. */
export type Outcome = { reads: number; writes: number; compared: number; stalestMs: number; hiddenForMs: number };

/** A story's state, and the interval in which it may be shown. */
type State = { title: string | undefined; likes: number; from: number; until: number };
type Post = { slug: string; states: State[]; deleted: boolean };
type Observation = {
  slug: string;
  title: string | undefined;
  likes?: number;
  from: number;
  until: number;
  isVisitor: boolean;
  where: string;
};
type Reader = { member: Member; cookie: string };
type Context = {
  site: Site;
  urls: string[];
  readers: Reader[];
  author: Member;
  posts: Post[];
  observations: Observation[];
  writes: number;
};

const concurrentPosts = 10;
const visitors = 6;
const minOperations = 60;
/** A visitor's page may be out of date by this. */
const maxStalenessMs = 1_000;

/**
 * Writers publish, change, hide, like and delete stories while visitors and members read them on two processes. Every page is compared with
 * the story's state: a member's at that moment, a visitor's within the last second; and all pages a second after the last change.
 * @throws Error naming the page that differs.
 */
export async function readWhileWriting(forMs: number): Promise<Outcome> {
  const servers = await startTwoServers();
  const { site, first, second } = servers;
  try {
    const author = await addMember({ site }, "Ada Author", { staff: "administrator" });
    const readers: Reader[] = [];
    for (let number = 0; number < 4; number++) {
      const member = await addMember({ site }, `Reader ${number}`, { email: `reader-${number}-@example.com` });
      readers.push({ member, cookie: (await signIn({ site }, member)).cookie });
    }
    const context: Context = { site, urls: [first.url, second.url], readers, author, posts: [], observations: [], writes: 0 };
    for (const url of context.urls) await get(url, "/", undefined);
    const until = performance.now() + forMs;
    // A busy machine needs longer for the same number.
    const isOver = () => performance.now() > until && context.writes >= minOperations && context.observations.length >= minOperations;
    const writing = Array.from({ length: concurrentPosts }, (_, number) => write(context, number, isOver));
    const reading = Array.from({ length: visitors }, (_, number) => read(context, number, undefined, isOver));
    const membersReading = readers.map((reader, number) => read(context, number, reader, isOver));
    await Promise.all([...writing, ...reading, ...membersReading]);
    const { stalestMs, hiddenForMs } = compareAll(context);
    await wait(maxStalenessMs + 50);
    const compared = await compareWithDatabase(context);
    return { reads: context.observations.length, writes: context.writes, compared, stalestMs, hiddenForMs };
  } finally {
    await servers.close();
  }
}

/** Writes one story after the other and changes each step by step. */
async function write(context: Context, number: number, isOver: () => boolean): Promise<void> {
  const { site, author, readers } = context;
  for (let round = 0; !isOver(); round++) {
    const slug = `story-${number}-${round}`;
    const post: Post = { slug, deleted: false, states: [{ title: undefined, likes: 0, from: 0, until: Number.POSITIVE_INFINITY }] };
    context.posts.push(post);
    let state: Pick<State, "title" | "likes"> = { title: `S${number}r${round}v0x`, likes: 0 };
    const step = async (next: typeof state, work: () => Promise<unknown>) => {
      const from = performance.now();
      post.states.push({ ...next, from, until: Number.POSITIVE_INFINITY });
      await work();
      const before = post.states.at(-2);
      if (before) before.until = performance.now();
      state = next;
      context.writes++;
      await wait(20 + Math.random() * 200);
    };
    const text = { content: "It hums.", status: "active" } as const;
    const title = state.title ?? "";
    await step(state, async () => createPost(site, author, { title, slug, ...text }, await picture()));
    for (let change = 1; change <= 8 && !isOver(); change++) {
      const { title = "", likes } = state;
      const reader = readers[likes % readers.length]?.member;
      if (change % 4 === 0) {
        await step({ title: undefined, likes }, () => setPostStatus(site, author, slug, "inactive"));
        await step({ title, likes }, () => setPostStatus(site, author, slug, "active"));
      } else if (change % 2 === 0 && reader && likes < readers.length)
        await step({ title, likes: likes + 1 }, () => setLike(site, reader, slug, true));
      else {
        const next = `S${number}r${round}v${change}x`;
        const { version } = await site.db.selectFrom("posts").select("version").where("id", "=", slug).executeTakeFirstOrThrow();
        await step({ title: next, likes }, () => updatePost(site, author, slug, { title: next, ...text }, { version }));
      }
    }
    if (isOver()) return;
    await step({ title: undefined, likes: state.likes }, () => deletePost(site, author, slug));
    post.deleted = true;
  }
}

async function read(context: Context, number: number, reader: Reader | undefined, isOver: () => boolean): Promise<void> {
  for (let round = number; !isOver(); round++) {
    const base = context.urls[round % context.urls.length] ?? "";
    const recent = context.posts.slice(-2 * concurrentPosts);
    const post = recent[Math.floor(Math.random() * recent.length)];
    if (!post) {
      await wait(20);
      continue;
    }
    const path = round % 5 === 0 ? "/" : `/post/${post.slug}`;
    const from = performance.now();
    const { text } = await get(base, path, reader);
    const at = { from, until: performance.now(), isVisitor: !reader, where: `${base}${path}` };
    if (path === "/") context.observations.push(...titlesIn(text).map((title) => ({ ...at, slug: slugOf(title), title })));
    else context.observations.push({ ...at, slug: post.slug, ...stateIn(text) });
  }
}

async function get(base: string, path: string, reader: Reader | undefined): Promise<{ text: string }> {
  const response = await fetch(`${base}${path}`, { redirect: "manual", headers: reader ? { cookie: reader.cookie } : {} });
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${path} was answered with ${response.status}`);
  const shown = new Set(text.match(/reader-\d+-@example\.com/g) ?? []);
  if (!reader && shown.size > 0) throw new Error(`A visitor was shown ${[...shown].join()}.`);
  if (reader && [...shown].some((email) => email !== reader.member.email))
    throw new Error(`${reader.member.email} was shown ${[...shown].join()}.`);
  return { text };
}

function titlesIn(html: string): string[] {
  return [...new Set(html.match(/S\d+r\d+v\d+x/g) ?? [])];
}

function slugOf(title: string): string {
  const [, number, round] = /S(\d+)r(\d+)/.exec(title) ?? [];
  return `story-${number}-${round}`;
}

/** From a story's own page; without a title it isn't shown. */
function stateIn(html: string): { title: string | undefined; likes?: number } {
  const title = /<h1[^>]*>(?:<[^>]+>)*\s*(S\d+r\d+v\d+x)/.exec(html)?.[1];
  if (!title) return { title };
  const words = html.replaceAll(/<!--.*?-->|<[^>]+>/g, " ");
  return { title, likes: Number(/(\d+)\s+Likes?\b/.exec(words)?.[1] ?? 0) };
}

function compareAll({ posts, observations }: Context): { stalestMs: number; hiddenForMs: number } {
  const bySlug = new Map(posts.map((post) => [post.slug, post.states]));
  let [stalestMs, hiddenForMs] = [0, 0];
  for (const each of observations) {
    const states = bySlug.get(each.slug) ?? [];
    const matching = states.filter(({ title, likes }) => title === each.title && (each.likes === undefined || likes === each.likes));
    const started = matching.filter(({ from }) => from <= each.until);
    const behind = Math.min(...started.map(({ until }) => Math.max(0, each.from - until)));
    const allowed = each.isVisitor ? maxStalenessMs : 0;
    if (!(behind <= allowed))
      throw new Error(`${each.where} showed ${each.title} with ${each.likes} likes, ${behind} ms behind: ${JSON.stringify(states)}`);
    stalestMs = Math.max(stalestMs, behind);
    if (each.title !== undefined) hiddenForMs = Math.max(hiddenForMs, shownAfterHiding(states, started, each.from));
  }
  return { stalestMs, hiddenForMs };
}

/** How long the story had been hidden when it was requested and shown. */
function shownAfterHiding(states: State[], matching: State[], from: number): number {
  const next = states.filter(
    (state) => matching.some(({ until }) => state.from < until && state.until > until) && state.title === undefined,
  );
  // A page that was being published again while the request ran may show it.
  const isAgain = (state: State) => matching.some((shown) => shown.from > state.from);
  const hidden = next.filter((state) => state.until > from && state.from < from && !isAgain(state));
  const since = hidden.map((state) => from - (states[states.indexOf(state) - 1]?.until ?? from));
  return Math.max(0, ...since);
}

async function compareWithDatabase({ site, urls, posts }: Context): Promise<number> {
  const rows = await site.db.selectFrom("posts").select(["id", "title", "status", "likesCount"]).execute();
  let compared = 0;
  for (const base of urls) {
    for (const { slug } of posts) {
      const row = rows.find(({ id, status }) => id === slug && status === "active");
      const { title, likes } = stateIn((await get(base, `/post/${slug}`, undefined)).text);
      if (title !== row?.title || (row && likes !== row.likesCount))
        throw new Error(`${base}/post/${slug} shows ${title} with ${likes} likes; the database has ${JSON.stringify(row)}`);
      compared++;
    }
    const landing = titlesIn((await get(base, "/", undefined)).text);
    for (const title of landing)
      if (!rows.some((row) => row.title === title && row.status === "active")) throw new Error(`${base}/ shows ${title}, which is hidden`);
    compared++;
  }
  return compared;
}

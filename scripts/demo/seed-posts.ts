import { createPost } from "#domain/posts/posts.server.ts";
import { slugOf } from "#domain/posts/slug.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { type DemoMembers, type DemoSite, day, memberOf, minute } from "./community.ts";
import { coverPicker, type DemoPost, readPosts } from "./content.ts";
import { seededRandom, shuffled } from "./random.ts";

export type SeededPost = DemoPost & { id: string; createdAt: number };

const featured = 6;
const pinned = ["The Mapmaker’s Second Mistake", "Seven Winters in a Borrowed Cabin", "On Keeping a Slow Inbox"];
/** This many are newer than the featured ones, so no cover is on the first page twice. */
const newest = 30;
const span = 90 * day;

/** Spread over ninety days; the first files' stories, which are featured, are older than the newest. */
export async function seedPosts(
  site: DemoSite,
  members: DemoMembers,
  today: number,
  posts: DemoPost[] = readPosts(),
): Promise<SeededPost[]> {
  const random = seededRandom(1888);
  const isProminent = (post: DemoPost) => posts.indexOf(post) < featured * 2 || pinned.includes(post.title);
  const [prominent, others] = [
    posts.filter(isProminent),
    shuffled(
      posts.filter((post) => !isProminent(post)),
      random,
    ),
  ];
  const pick = coverPicker();
  const seeded: SeededPost[] = [];
  const scheduled = [...others.slice(0, newest), ...prominent, ...others.slice(newest)].map((post, index, all) => ({
    post,
    cover: pick(post.cover),
    createdAt: today - ageOf(index, all.length, random),
  }));
  for (const { post, cover, createdAt } of scheduled.reverse()) {
    site.setClock(createdAt);
    const id = await slugOf(post.title);
    const { title, content, status } = post;
    await createPost(site, memberOf(members, post.author), { title, slug: id, content, status }, cover);
    seeded.push({ ...post, id, createdAt });
    if (seeded.length % 50 === 0) console.log(`  ${seeded.length} of ${posts.length} stories`);
  }
  await mark(site, posts.slice(0, featured), "featured");
  await mark(
    site,
    posts.filter((post) => pinned.includes(post.title)),
    "pinned",
  );
  return seeded;
}

/** Denser towards today, as on a growing site; never two in one minute. */
function ageOf(index: number, count: number, random: () => number): number {
  const share = (index + random() * 0.8) / count;
  return Math.round(3 * 60 * minute + share ** 1.3 * (span - day));
}

async function mark(site: DemoSite, posts: DemoPost[], flag: "featured" | "pinned"): Promise<void> {
  for (const { title } of posts)
    await site.db
      .updateTable("posts")
      .set({ [flag]: true })
      .where("title", "=", title)
      .execute();
}

/** Likes and bookmarks by members who had joined by then, and views. */
export async function seedReactions(site: DemoSite, members: DemoMembers, posts: SeededPost[], today: number): Promise<void> {
  const random = seededRandom(1971);
  const people = [...members.values()];
  const maxLikes = Math.max(...posts.map((post) => post.likes));
  for (const post of posts.filter((each) => each.status === "active")) {
    const count = Math.max(1, Math.round(people.length * 0.9 * Math.sqrt(post.likes / maxLikes)));
    const fans = shuffled(people, random).slice(0, count);
    for (const [index, fan] of fans.entries()) {
      site.setClock(Math.round(post.createdAt + (today - post.createdAt) * random() ** 2));
      await setLike(site, fan, post.id, true);
      if (index % 4 === 0) await setBookmark(site, fan, post.id, true);
    }
    await site.db.updateTable("posts").set({ views: post.views }).where("id", "=", post.id).execute();
  }
}

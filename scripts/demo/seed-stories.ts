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
  stories: DemoPost[] = readPosts(),
): Promise<SeededPost[]> {
  const random = seededRandom(1888);
  const isProminent = (story: DemoPost) => stories.indexOf(story) < featured * 2 || pinned.includes(story.title);
  const [prominent, others] = [
    stories.filter(isProminent),
    shuffled(
      stories.filter((story) => !isProminent(story)),
      random,
    ),
  ];
  const pick = coverPicker();
  const seeded: SeededPost[] = [];
  const scheduled = [...others.slice(0, newest), ...prominent, ...others.slice(newest)].map((story, index, all) => ({
    story,
    cover: pick(story.cover),
    createdAt: today - ageOf(index, all.length, random),
  }));
  for (const { story, cover, createdAt } of scheduled.reverse()) {
    site.setClock(createdAt);
    const id = await slugOf(story.title);
    const { title, content, status } = story;
    await createPost(site, memberOf(members, story.author), { title, slug: id, content, status }, cover);
    seeded.push({ ...story, id, createdAt });
    if (seeded.length % 50 === 0) console.log(`  ${seeded.length} of ${stories.length} stories`);
  }
  await mark(site, stories.slice(0, featured), "featured");
  await mark(
    site,
    stories.filter((story) => pinned.includes(story.title)),
    "pinned",
  );
  return seeded;
}

/** Denser towards today, as on a growing site; never two in one minute. */
function ageOf(index: number, count: number, random: () => number): number {
  const share = (index + random() * 0.8) / count;
  return Math.round(3 * 60 * minute + share ** 1.3 * (span - day));
}

async function mark(site: DemoSite, stories: DemoPost[], flag: "featured" | "pinned"): Promise<void> {
  for (const { title } of stories)
    await site.db
      .updateTable("posts")
      .set({ [flag]: true })
      .where("title", "=", title)
      .execute();
}

/** Likes and bookmarks by members who had joined by then, and views. */
export async function seedReactions(site: DemoSite, members: DemoMembers, stories: SeededPost[], today: number): Promise<void> {
  const random = seededRandom(1971);
  const people = [...members.values()];
  const maxLikes = Math.max(...stories.map((story) => story.likes));
  for (const story of stories.filter((each) => each.status === "active")) {
    const count = Math.max(1, Math.round(people.length * 0.9 * Math.sqrt(story.likes / maxLikes)));
    const fans = shuffled(people, random).slice(0, count);
    for (const [index, fan] of fans.entries()) {
      site.setClock(Math.round(story.createdAt + (today - story.createdAt) * random() ** 2));
      await setLike(site, fan, story.id, true);
      if (index % 4 === 0) await setBookmark(site, fan, story.id, true);
    }
    await site.db.updateTable("posts").set({ views: story.views }).where("id", "=", story.id).execute();
  }
}

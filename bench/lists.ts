import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compare } from "./lists/compare.ts";
import { type Size, seed } from "./lists/seed.ts";

/**
 * `npm run bench -- lists`: response times of every list, sort, tab and search on sites of a thousand and a million stories, in one run.
 * The first run creates both (half an hour and 6 GB). `--small URL --big URL` name copies of them on PostgreSQL.
 */
const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "data-bench" },
    stories: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "31" },
    small: { type: "string" },
    big: { type: "string" },
    only: { type: "string", default: "" },
  },
});

const perPost = { members: 1 / 5, likes: 5 };
const sizeOf = (stories: number): Size => ({ stories, members: stories * perPost.members, likes: stories * perPost.likes });
const sites = [1000, Number(values.stories)].map((stories) => ({
  posts: stories,
  dataDir: resolve(values.folder, `site-${stories}`),
  databaseUrl: stories === 1000 ? values.small : values.big,
}));

for (const { posts, dataDir } of sites) {
  console.log(`A site of ${posts.toLocaleString("en-US")} stories in ${join(values.folder, `site-${posts}`)}`);
  await seed(dataDir, sizeOf(posts));
}
const worst = await compare(sites, { rounds: Number(values.rounds), only: new RegExp(values.only) });
process.exit(worst <= 1.5 ? 0 : 1);

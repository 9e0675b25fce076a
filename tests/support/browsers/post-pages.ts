import { createPost } from "#domain/posts/posts.server.ts";
import type { Viewer } from "#domain/site.ts";
import { picture } from "../pictures.ts";
import { openWeb } from "../web.ts";
import { openWorld, signIn } from "../world.ts";

type PostOptions = { title?: string; slug?: string; content?: string; status?: "active" | "inactive" };

export type PostPages = Awaited<ReturnType<typeof openPostPages>>;

/** A site with Maren's new story “Night Bus”, and its pages. */
export async function openPostPages() {
  const world = await openWorld();
  const web = openWeb(world);
  world.clock.set(Date.UTC(2026, 10, 18, 9));
  const cookieOf = async (viewer: Viewer) => (viewer ? (await signIn(world, viewer)).cookie : "");
  const get = async (path: string, viewer: Viewer = null) => web.request(path, { headers: { cookie: await cookieOf(viewer) } });
  const publish = async ({ title = "Night Bus", slug = "night-bus", content = "It *hums*.", status = "active" }: PostOptions = {}) => {
    await createPost(world.site, world.maren, { title, slug, content, status }, await picture());
  };
  await publish();
  return {
    world,
    web,
    cookieOf,
    get,
    publish,
    page: async (viewer: Viewer = null, path = "/post/night-bus") => (await get(path, viewer)).text(),
    change: (columns: object) => world.site.db.updateTable("posts").set(columns).where("id", "=", "night-bus").execute(),
  };
}

/** The visible text of a page. */
export const text = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

import { createPost } from "#domain/posts/posts.server.ts";
import type { Member } from "#domain/site.ts";
import { picture } from "../pictures.ts";
import { formPost, openWeb } from "../web.ts";
import { openWorld, signIn } from "../world.ts";

export type MemberPages = Awaited<ReturnType<typeof openMemberPages>>;

/** A site's pages for members, with some of their stories. */
export async function openMemberPages() {
  const world = await openWorld();
  const web = openWeb(world);
  const cookieOf = async (person: Member) => (await signIn(world, person)).cookie;
  return {
    world,
    web,
    cookieOf,
    get: async (path: string, person?: Member) => web.request(path, { headers: person ? { cookie: await cookieOf(person) } : {} }),
    post: async (path: string, fields: Record<string, string>, person?: Member) =>
      web.request(path, formPost(fields, person ? { cookie: await cookieOf(person) } : {})),
    write: async (by: Member, slug: string, status: "active" | "inactive" = "active") =>
      createPost(world.site, by, { title: slug.replaceAll("-", " "), slug, content: "Salt and smoke.", status }, await picture()),
  };
}

/** Without React's marks between texts. */
export const html = async (response: Promise<Response>) => (await (await response).text()).replaceAll(/<!-- -->/g, "");

export const toastOf = (response: Response) =>
  decodeURIComponent(/inkstead_toast=([^;]*)/.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? "");

import { createPost } from "#domain/posts/posts.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { picture } from "../../support/pictures.ts";
import { uniqueTitle } from "./post-form.ts";

const long = "A paragraph that goes on for a while.\n\n".repeat(80);

/** Publishes a story, long enough to scroll. @returns its id. */
export async function publishPost(site: Site, author: Member, content = long): Promise<string> {
  const title = uniqueTitle("Read Me");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  return (await createPost(site, author, { title, slug, content, status: "active" }, await picture())).id;
}

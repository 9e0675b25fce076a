import type { Member } from "#domain/site.ts";
import { openWeb } from "./web.ts";
import { signIn, type World } from "./world.ts";

export type PageRequestOptions = { as?: Member | null; cookie?: string; site?: World["site"] };

/** A page without its data for scripts. */
export async function openPage(world: World, path: string, { as, cookie = "", site = world.site }: PageRequestOptions = {}) {
  const session = as ? (await signIn(world, as)).cookie : "";
  const response = await openWeb({ site }).request(path, { headers: { cookie: [session, cookie].filter(Boolean).join("; ") } });
  const html = (await response.text()).replace(/<script[\s\S]*?<\/script>/g, "").replaceAll("<!-- -->", "");
  return { html, text: textOf(html), response };
}

export function textOf(html: string): string {
  const spaced = html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  return spaced.trim();
}

/** The first element of that kind, up to the first closing tag. */
export function partOf(html: string, tag: string, attributes = ""): string {
  return new RegExp(`<${tag}\\b[^>]*${attributes}[^>]*>[\\s\\S]*?</${tag}>`).exec(html)?.[0] ?? "";
}

/** Every link as [accessible name, address], in the page's order. */
export function linksIn(html: string): [label: string, to: string][] {
  return [...html.matchAll(/<a ([^>]*)>([\s\S]*?)<\/a>/g)].map(([, attributes = "", inside = ""]) => {
    const value = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll("&amp;", "&");
    const visible = inside.replace(/<span aria-hidden[^>]*>[^<]*<\/span>/g, "");
    return [value("aria-label") ?? textOf(visible), value("href") ?? ""];
  });
}

/** Titles of the page's stories, in order. */
export function titlesIn(html: string): string[] {
  return [...html.matchAll(/<h[23][^>]*><a [^>]*href="\/post\/[^"]*"[^>]*>([^<]*)/g)].map(([, title = ""]) => title);
}

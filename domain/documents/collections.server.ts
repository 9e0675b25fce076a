import { may } from "../permissions.ts";
import type { Viewer } from "../site.ts";
import type { Collection } from "./collection.ts";
import { somebodyElse } from "./collection-columns.ts";
import type { DocumentQuery, Filter, ListName } from "./document.ts";
import { files } from "./file-collections.server.ts";
import { conversations, messages } from "./message-collections.server.ts";
import { follows, profiles, reports } from "./people-collections.server.ts";
import { bookmarks, likes, posts, rankedPosts } from "./post-collections.server.ts";

export const collections: Record<ListName, Collection> = {
  posts,
  profiles,
  likes,
  bookmarks,
  messages,
  conversations,
  follows,
  reports,
  files,
};

/** Where a query is answered from: its order may have a table of its own. */
export function collectionFor(name: ListName, { filters, orders }: Pick<DocumentQuery, "filters" | "orders">): Collection {
  const [first] = orders;
  const isRanked = name === "posts" && (first?.attribute === "views" || first?.attribute === "likesCount");
  return isRanked && asksForPublished(filters) ? rankedPosts : collections[name];
}

/** Whether the answer can tell the viewer what a draft of somebody else says: staff may read those. */
export function tellsOfDrafts(viewer: Viewer, { filters, select, orders }: DocumentQuery): boolean {
  if (!viewer || !may(viewer, "read a draft", somebodyElse) || asksForPublished(filters) || asksForOwn(filters, viewer.id)) return false;
  const isSelected = !select || select.includes("*") || select.includes("content");
  return isSelected || [filters, orders].some((asked) => JSON.stringify(asked).includes('"attribute":"content"'));
}

function asksForOwn(filters: Filter[], userId: string): boolean {
  return filters.some(
    (each) => "values" in each && each.method === "equal" && each.attribute === "userId" && each.values.every((value) => value === userId),
  );
}

function asksForPublished(filters: Filter[]): boolean {
  return filters.some(
    (each) => "values" in each && each.method === "equal" && each.attribute === "status" && each.values.join() === "active",
  );
}

/**
 * Whether everybody who may ask this is answered alike, so that one's answer can be given to another: nothing is asked for that only
 * some may read. Profiles are not alike: staff, and the member, see that of a suspended one.
 */
export function isSameForAll(name: ListName, { filters, cursor }: Pick<DocumentQuery, "filters" | "cursor">): boolean {
  // A page may begin after a document that only its owner may read.
  return name === "posts" && !cursor && asksForPublished(filters);
}

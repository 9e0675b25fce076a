import { z } from "zod";
import { findDocument } from "#domain/documents/documents.server.ts";
import { findReaction, setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { requireSelf, text, type Writer, writer } from "./collection-writer.ts";

const verbs = { likes: setLike, bookmarks: setBookmark };

export function reactionWriter(collection: "likes" | "bookmarks"): Writer {
  const set = verbs[collection];
  return writer({
    collection,
    attributes: { postId: text, userId: text },
    create: {
      data: z.strictObject({ postId: z.string(), userId: z.string().nullish() }),
      async run(call, id, { postId, userId }) {
        const viewer = requireSelf(call, userId);
        await set(call.site, viewer, postId, true, id);
        return findReaction(call.site, viewer, collection, postId);
      },
    },
    async remove(call, id) {
      const { attributes } = await findDocument(call.site, call.viewer, collection, id);
      await set(call.site, requireSelf(call, String(attributes.userId)), String(attributes.postId), false);
    },
  });
}

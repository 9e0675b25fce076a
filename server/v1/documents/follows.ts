import { z } from "zod";
import { findDocument } from "#domain/documents/documents.server.ts";
import { findFollow, setFollow } from "#domain/follows/follows.server.ts";
import { requireSelf, text, writer } from "./collection-writer.ts";

export const followWriter = writer({
  collection: "follows",
  attributes: { followerId: text, followedId: text },
  create: {
    data: z.strictObject({ followedId: z.string().min(1).max(36), followerId: z.string().nullish() }),
    async run(call, _id, { followedId, followerId }) {
      const viewer = requireSelf(call, followerId);
      await setFollow(call.site, viewer, { userId: followedId, following: true });
      return findFollow(call.site, viewer, followedId);
    },
  },
  async remove(call, id) {
    const { attributes } = await findDocument(call.site, call.viewer, "follows", id);
    await setFollow(call.site, requireSelf(call, String(attributes.followerId)), {
      userId: String(attributes.followedId),
      following: false,
    });
  },
});

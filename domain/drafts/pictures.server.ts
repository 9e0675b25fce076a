import { limitAttempts } from "#domain/limits/attempts.server.ts";
import { storeFeaturedPicture, type Upload } from "../files/files.server.ts";
import { pictureUrl } from "../files/picture.ts";
import { type PostPicture, storePostPicture } from "../files/post-files.server.ts";
import { mustBeAllowed } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";

const limit = { max: 200, minutes: 60 };

/**
 * Takes a picture for a story that is being written: its featured one, or one for its text. Only the sender sees it until
 * the story is published, and it is swept unless a save shows it.
 * @throws Invalid for what is no picture or over 10 MB, TooMany beyond 200 in an hour, Unavailable when it can't be stored.
 */
export async function sendPicture(site: Site, viewer: Viewer, kind: "featured" | "text", upload: Upload | undefined): Promise<PostPicture> {
  mustBeAllowed(viewer, "keep unfinished work");
  if (!upload) throw new Invalid("Please select a valid image file");
  await limitAttempts(site, { kind: "picture", subject: viewer.id }, limit);
  if (kind === "text") return storePostPicture(site, viewer, upload);
  const file = await storeFeaturedPicture(site, viewer, upload);
  return { ...file, address: pictureUrl(file.id, 1200) };
}

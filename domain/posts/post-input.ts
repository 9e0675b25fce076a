import { z } from "zod";
import { plainLineBreaks } from "../normalize-input.ts";
import { contentMaxLength, postTexts, slugMaxLength, titleMaxLength } from "./post.ts";
import { loadTransliterate, toSlug } from "./slug.ts";

/** What the form sends, in the specification's words (§5, Post form). Not for the browser bundle: it brings Zod. */
export const PostInput = z.object({
  title: z
    .string({ error: postTexts.titleRequired })
    .trim()
    .transform((title) => title.replace(/\s+/g, " "))
    .pipe(z.string().min(1, postTexts.titleRequired).max(titleMaxLength, postTexts.titleTooLong)),
  slug: z
    .string({ error: postTexts.slugRequired })
    .trim()
    .max(slugMaxLength, postTexts.slugTooLong)
    .transform(async (slug) => toSlug(slug, await loadTransliterate()))
    .pipe(z.string().min(1, postTexts.slugRequired)),
  content: z.string().transform(plainLineBreaks).pipe(z.string().max(contentMaxLength, postTexts.contentTooLong)).default(""),
  status: z.enum(["active", "inactive"], { error: postTexts.statusRequired }),
});

export type PostInput = z.output<typeof PostInput>;

export const PostChange = PostInput.omit({ slug: true });

export type PostChange = z.output<typeof PostChange>;

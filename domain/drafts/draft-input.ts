import { z } from "zod";
import { plainLineBreaks } from "../normalize-input.ts";
import { draftMaxLength, draftTexts } from "./draft.ts";

/** Fields may be missing or too long for a story: nothing may be lost. */
const DraftInput = z.object({
  title: z.string().max(10_000).catch(""),
  slug: z.string().max(1_000).catch(""),
  slugTyped: z.boolean().catch(false),
  content: z.string().transform(plainLineBreaks).pipe(z.string().max(draftMaxLength, draftTexts.tooLong)),
  status: z.enum(["active", "inactive"]).catch("active"),
  featuredImage: z.string().max(60).nullable().catch(null),
});

export const DraftSaveInput = z.object({
  id: z.string().max(140),
  userId: z.string(),
  postId: z.string().max(60).nullable(),
  postVersion: z.number().int().nullable(),
  base: z.number().int().nullable(),
  writer: z.string().min(8).max(60),
  count: z.number().int().nonnegative(),
  draft: DraftInput,
});

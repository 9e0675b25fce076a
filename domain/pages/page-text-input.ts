import { z } from "zod";
import { fullCount } from "../format.ts";
import { collapseWhitespace, normalizeLineBreaks } from "../normalize-input.ts";
import { pageTextLimits } from "./page-text.ts";

const atMost = (name: string, most: number) => z.string().max(most, `${name} cannot exceed ${fullCount(most)} characters`);

export const PageTextInput = z.object({
  title: z.string().transform(collapseWhitespace).pipe(atMost("Title", pageTextLimits.title).min(1, "Title is required")),
  lead: z.string().transform(collapseWhitespace).pipe(atMost("Summary", pageTextLimits.lead)).default(""),
  text: z
    .string()
    .transform((text) => normalizeLineBreaks(text).trim())
    .pipe(atMost("Text", pageTextLimits.text).min(1, "Text is required")),
});
export type PageTextInput = z.output<typeof PageTextInput>;

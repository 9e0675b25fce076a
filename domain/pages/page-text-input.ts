import { z } from "zod";
import { fullCount } from "../wording.ts";
import { pageTextLimits } from "./page-text.ts";

const atMost = (name: string, most: number) => z.string().max(most, `${name} cannot exceed ${fullCount(most)} characters`);
const line = (text: string) => text.trim().replace(/\s+/g, " ");

/** What the form sends. Not for the browser bundle: it brings Zod. */
export const PageTextInput = z.object({
  title: z.string().transform(line).pipe(atMost("Title", pageTextLimits.title).min(1, "Title is required")),
  lead: z.string().transform(line).pipe(atMost("First line", pageTextLimits.lead)).default(""),
  // Browsers send line ends as \r\n.
  text: z
    .string()
    .transform((text) => text.replace(/\r\n?/g, "\n").trim())
    .pipe(atMost("Text", pageTextLimits.text).min(1, "Text is required")),
});
export type PageTextInput = z.output<typeof PageTextInput>;

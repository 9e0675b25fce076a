import { z } from "zod";
import { Invalid } from "../refusals.ts";
import type { Site } from "../site.ts";
import { recordError } from "./errors.server.ts";
import { type BrowserError, errorLimits } from "./tracked-error.ts";

const BrowserErrorInput = z.object({
  message: z.string().trim().min(1).max(errorLimits.message),
  stack: z.string().max(errorLimits.stack),
  path: z.string().max(errorLimits.path),
}) satisfies z.ZodType<BrowserError>;

/** @param patternOf maps a path to its route. @throws Invalid. */
export async function reportBrowserError(
  site: Site,
  given: unknown,
  { requestId, patternOf }: { requestId: string; patternOf: (path: string) => string },
): Promise<void> {
  const result = BrowserErrorInput.safeParse(given);
  if (!result.success) throw new Invalid("Invalid error report");
  const { message, stack, path } = result.data;
  await recordError(site, { source: "browser", message, stack, route: patternOf(path), requestId });
}

import { z } from "zod";
import { Invalid } from "../refusals.ts";
import type { Site } from "../site.ts";
import { type BrowserFault, faultLimits } from "./fault.ts";
import { recordFault } from "./faults.server.ts";

const BrowserFaultInput = z.object({
  message: z.string().trim().min(1).max(faultLimits.message),
  stack: z.string().max(faultLimits.stack),
  path: z.string().max(faultLimits.path),
}) satisfies z.ZodType<BrowserFault>;

/** @param patternOf maps a path to its route. @throws Invalid. */
export async function reportBrowserFault(
  site: Site,
  given: unknown,
  { requestId, patternOf }: { requestId: string; patternOf: (path: string) => string },
): Promise<void> {
  const result = BrowserFaultInput.safeParse(given);
  if (!result.success) throw new Invalid("Invalid error report");
  const { message, stack, path } = result.data;
  await recordFault(site, { source: "browser", message, stack, route: patternOf(path), requestId });
}

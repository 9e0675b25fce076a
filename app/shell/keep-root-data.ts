import type { DataStrategyResult } from "react-router";

type Results = Record<string, DataStrategyResult>;

/**
 * In the browser: what every page knows of the site stays when it can't be asked again, so that the frame is around
 * whatever the page has to say of that. The router keeps the data of whatever has no result.
 */
export async function keepRootData(_: unknown, next: () => Promise<Results>): Promise<Results> {
  const { root, ...others } = await next();
  if (!root || (root.type === "error" && root.result instanceof Error)) return others;
  return { root, ...others };
}

import { parseArgs } from "node:util";

export type UpdateOptions = { backup: string | undefined; restart: string | undefined; waitMinutes: number };

export const usage = `Usage: npm run update
       npm run update -- --restart "systemctl restart inkstead@3000" [--wait MINUTES] [--backup "COMMAND in place of npm run backup"]

  --wait  how long a restarted site may take until it is ready, 2 unless given; a large site needs longer when it rebuilds a search index`;

/** @returns nothing when the usage has to be shown. */
export function readOptions(args: string[]): UpdateOptions | undefined {
  const text = { type: "string" } as const;
  try {
    const { backup, restart, wait = "2" } = parseArgs({ args, options: { backup: text, restart: text, wait: text } }).values;
    const waitMinutes = Number(wait);
    return waitMinutes > 0 ? { backup, restart, waitMinutes } : undefined;
  } catch {
    return undefined;
  }
}

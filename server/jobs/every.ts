import type { Site } from "#domain/site.ts";

export type Job = { name: string; everyMs: number; run: (site: Site) => unknown };

/** Runs a job now and at its pace, one run at a time; a failure is logged. @returns what ends it. */
export function every(site: Site, { name, everyMs, run }: Job): () => void {
  let running = false;
  const next = async () => {
    if (running) return;
    running = true;
    try {
      await run(site);
    } catch (err) {
      site.log.error({ err }, `${name} failed`);
    }
    running = false;
  };
  void next();
  const timer = setInterval(() => void next(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

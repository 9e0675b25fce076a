import type { Page } from "@playwright/test";

type TraceEvent = { name: string; ph: string; pid: number; tid: number; dur?: number; tdur?: number; args?: { name?: string } };

/**
 * How long each task took in the pages' own threads while `work` went on: milliseconds of the processor, so that what
 * others do on the machine isn't counted.
 */
export async function mainThreadTasks(page: Page, work: () => Promise<void>): Promise<number[]> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Error("the browser is not running");
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const traceConfig = { includedCategories: ["toplevel"], excludedCategories: ["*"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await work();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = (event: TraceEvent) => event.name === "thread_name" && event.args?.name === "CrRendererMain";
  const main = new Set(events.filter(isMain).map(threadOf));
  // The thread's clock makes a leap now and then, and is ahead of the wall's.
  return events
    .filter((event) => event.name.endsWith("RunTask") && event.ph === "X" && main.has(threadOf(event)))
    .map(({ dur = 0, tdur = dur }) => Math.min(dur, tdur) / 1000);
}

import type { Page } from "@playwright/test";

type TraceEvent = { name: string; ph: string; pid: number; tid: number; dur?: number; tdur?: number; args?: { name?: string } };

/** Durations of tasks on the pages' main threads during `work`: processor milliseconds, so other load isn't counted. */
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
  // The thread's clock jumps now and then, and is ahead of the wall clock.
  return events
    .filter((event) => event.name.endsWith("RunTask") && event.ph === "X" && main.has(threadOf(event)))
    .map(({ dur = 0, tdur = dur }) => Math.min(dur, tdur) / 1000);
}

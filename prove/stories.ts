import { publishAndKill } from "../tests/faults/crash.ts";
import { findEngine } from "../tests/postgres/start.ts";

/** `npm run prove -- stories 200 postgres`: the long version of tests/crash.test.ts; prints its figure. */
const runs = Number(process.argv[2] ?? 200);
const engine = await findEngine(process.argv[3]);
const start = performance.now();
const { complete, absent } = await publishAndKill(runs, engine, (run) => run % 20 === 0 && console.log(`  ${run} of ${runs}`));
const seconds = Math.round((performance.now() - start) / 1000);
console.log(`${engine}: ${runs} stories, the server killed during each: ${complete} complete, ${absent} absent, 0 partial (${seconds} s).`);

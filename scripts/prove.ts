import { publishAndKill } from "../tests/crash.ts";

/** `npm run prove -- 200`: the long version of tests/crash.test.ts; prints its figure. */
const runs = Number(process.argv[2] ?? 200);
const start = performance.now();
const { whole, absent } = await publishAndKill(runs, (run) => run % 20 === 0 && console.log(`  ${run} of ${runs}`));
const seconds = Math.round((performance.now() - start) / 1000);
console.log(`${runs} stories, the server killed during each: ${whole} whole, ${absent} not there, 0 half (${seconds} s).`);

import { writeAndKill } from "../tests/faults/durable-writes.ts";

/** `npm run prove -- writes 200`: the long version of tests/durable-writes.test.ts; prints its figure. */
const kills = Number(process.argv[2] ?? 200);
const start = performance.now();
const { acknowledged, unreported } = await writeAndKill(kills, (kill) => kill % 20 === 0 && console.log(`  ${kill} of ${kills}`));
const seconds = Math.round((performance.now() - start) / 1000);
console.log(
  `${kills} kills under load: ${acknowledged} acknowledged writes, 0 lost, 0 partial, 0 refused but saved; ${unreported} saved but not acknowledged (${seconds} s).`,
);

import { type FaultName, faults, typeUnderFaults } from "../tests/faults/lost-typing.ts";

/** `npm run prove -- drafts 100`: the long version of the journey in tests/journeys/drafts.spec.ts; prints its figure. */
const runs = Number(process.argv[2] ?? 100);
const maxLostMs = 2_000;
const all = Object.keys(faults) as FaultName[];
const names = Array.from({ length: runs }, (_, run) => all[run % all.length] as FaultName);
const start = performance.now();
const losses = await typeUnderFaults(names, (loss, run) => console.log(`  ${run} of ${runs}: ${loss.fault}, ${loss.lost} ms lost`));
const seconds = Math.round((performance.now() - start) / 1000);
for (const fault of all) {
  const of = losses.filter((loss) => loss.fault === fault).map(({ lost }) => lost);
  if (of.length > 0) console.log(`${fault}: ${of.length} times, at most ${Math.max(...of)} ms of typing lost.`);
}
const worst = Math.max(...losses.map(({ lost }) => lost));
console.log(`${runs} runs, a fault at a random moment of each: at most ${worst} ms of typing lost (${seconds} s).`);
process.exit(worst <= maxLostMs ? 0 : 1);

import { sendThroughFaults } from "../tests/faults/mail-faults.ts";
import { findPostgres } from "../tests/postgres/start.ts";

/** `npm run prove-mail -- 50 postgres`: the long version of tests/mail-faults.test.ts; prints its figure. */
const kills = Number(process.argv[2] ?? 50);
const engine = process.argv[3] === "sqlite" ? "sqlite" : "postgres";
if (engine === "postgres") await findPostgres();
const start = performance.now();
const result = await sendThroughFaults(kills, 40, engine, (kill) => kill % 10 === 0 && console.log(`  ${kill} of ${kills}`));
const seconds = Math.round((performance.now() - start) / 1000);
const faults = Object.values(result.faults).reduce((sum, count) => sum + count, 0);
console.log(
  `${engine}: ${result.emails} emails, ${result.kills} killed processes, ${faults} faults of the mail server: ${result.sent} arrived once, ` +
    `${result.failed} listed as failed, ${result.unknown} listed as perhaps arrived, 0 twice, 0 lost (${seconds} s).`,
);
for (const [fault, count] of Object.entries(result.faults).sort()) console.log(`  ${fault}: ${count}`);
process.exit(0);

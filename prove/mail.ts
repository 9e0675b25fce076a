import { sendThroughFaults } from "../tests/faults/mail-faults.ts";
import { findPostgres } from "../tests/postgres/start.ts";

/** `npm run prove-mail -- 50 postgres`: the long version of tests/mail-faults.test.ts; prints its figure. */
const kills = Number(process.argv[2] ?? 50);
const engine = process.argv[3] === "sqlite" ? "sqlite" : "postgres";
if (engine === "postgres") await findPostgres();
const start = performance.now();
const storm = await sendThroughFaults(kills, 40, engine, (kill) => kill % 10 === 0 && console.log(`  ${kill} of ${kills}`));
const seconds = Math.round((performance.now() - start) / 1000);
const faults = Object.values(storm.faults).reduce((sum, count) => sum + count, 0);
console.log(
  `${engine}: ${storm.emails} emails, ${storm.kills} killed processes, ${faults} faults of the mail server: ${storm.sent} arrived once, ` +
    `${storm.failed} listed as failed, ${storm.unknown} listed as perhaps arrived, 0 twice, 0 lost (${seconds} s).`,
);
for (const [fault, count] of Object.entries(storm.faults).sort()) console.log(`  ${fault}: ${count}`);
process.exit(0);

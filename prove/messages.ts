import { converseUnderFaults } from "../tests/faults/conversations.ts";
import { findPostgres } from "../tests/postgres/start.ts";

/** `npm run prove-messages -- 1000`: the long version of tests/conversations.test.ts; prints its figure. */
const runs = Number(process.argv[2] ?? 1000);
await findPostgres();
const start = performance.now();
const { messages, drops, reloads, moves, kills } = await converseUnderFaults(
  runs,
  (run) => run % 100 === 0 && console.log(`  ${run} of ${runs}`),
);
const seconds = Math.round((performance.now() - start) / 1000);
console.log(
  `${runs} conversations on two processes: ${messages} messages, each once and in order on both sides; ${drops} dropped sockets, ` +
    `${reloads} reloads, ${moves} moves to the other process, ${kills} killed processes; 0 lost, 0 duplicated (${seconds} s).`,
);
process.exit(0);

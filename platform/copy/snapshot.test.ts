import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { connect } from "./snapshot.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

/** The kind of timer of this machine's connection from a port; 2 is that of keepalive. */
function timerOf(port: number): number | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) => readFileSync(file, "utf8").trim().split("\n").slice(1));
  const fields = lines.map((line) => line.trim().split(/\s+/)).find(([, address]) => address?.endsWith(local));
  return fields && Number(fields[5]?.split(":")[0]);
}

test("a long copy's connection notices a server that is gone", async () => {
  if (process.platform !== "linux") return;
  const { query, close } = await connect(database.url, "inkstead backup");
  try {
    const [row] = await query("select inet_client_port() as port");
    await expect.poll(() => timerOf(Number(row?.port))).toBe(2);
  } finally {
    await close();
  }
});

test("its settings need no startup parameters, which a pooler may ignore", async () => {
  const { query, close } = await connect(database.url, "inkstead backup");
  try {
    const rows = await query(
      `select lower(name) as name, setting, source from pg_settings
       where lower(name) in ('timezone', 'statement_timeout', 'idle_in_transaction_session_timeout') order by 1`,
    );
    expect(rows).toEqual([
      { name: "idle_in_transaction_session_timeout", setting: "0", source: "session" },
      { name: "statement_timeout", setting: "0", source: "session" },
      { name: "timezone", setting: "UTC", source: "session" },
    ]);
    expect(await query("select current_setting('inkstead.moving') as moving")).toEqual([{ moving: "on" }]);
  } finally {
    await close();
  }
});

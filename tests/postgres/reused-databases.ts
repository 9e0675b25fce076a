import pg from "pg";
import { createDatabase, type TestDatabase } from "./databases.ts";
import { closePools, pooledProcessIds, reusePools } from "./reused-pools.ts";

/** With more uses, deleted rows cost more than a new database. */
const maxUses = 40;

type Reusable = { database: TestDatabase; pool: pg.Pool; uses: number };

/** Databases of this process, dropped with the template. */
const available: Reusable[] = [];

/** A copy of the template, reused where one is available. */
export async function borrowDatabase(template: string): Promise<{ url: string; giveBack(): Promise<void> }> {
  const reusable = available.pop() ?? (await makeReusable(template));
  return { url: reusable.database.url, giveBack: () => giveBack(reusable) };
}

async function makeReusable(template: string): Promise<Reusable> {
  const database = await createDatabase(template);
  // Without triggers and foreign keys, whose effects are in the restored rows already.
  const options = "-c session_replication_role=replica";
  const pool = new pg.Pool({ connectionString: database.url, options, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  pool.on("error", () => {}); // A test dropped its database or stopped its server.
  reusePools(database.url);
  return { database, pool, uses: 0 };
}

async function giveBack(reusable: Reusable): Promise<void> {
  if (++reusable.uses < maxUses && (await restore(reusable))) {
    available.push(reusable);
    return;
  }
  await closePools(reusable.database.url);
  await reusable.pool.end();
  await reusable.database.drop();
}

/** Fails where a test dropped the database, or the server's user is no superuser. */
async function restore({ database, pool }: Reusable): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ restore: boolean }>("select saved.restore($1)", [pooledProcessIds(database.url)]);
    return rows[0]?.restore === true;
  } catch {
    return false;
  }
}

import pg from "pg";
import { createDatabase, type TestDatabase } from "./databases.ts";
import { closePools, pooledProcessIds, reusePools } from "./reused-pools.ts";

/** After this many worlds, deleted rows cost more than a new database. */
const worlds = 40;

type Reusable = { database: TestDatabase; pool: pg.Pool; uses: number };

/** Of this process. They are dropped with the template. */
const free: Reusable[] = [];

/** A copy of the template, reused where one is free. */
export async function borrowDatabase(template: string): Promise<{ url: string; giveBack(): Promise<void> }> {
  const reusable = free.pop() ?? (await makeReusable(template));
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
  if (++reusable.uses < worlds && (await restore(reusable))) {
    free.push(reusable);
    return;
  }
  await closePools(reusable.database.url);
  await reusable.pool.end();
  await reusable.database.drop();
}

/** Fails where a test dropped the database, or the server's user is no superuser. */
async function restore({ database, pool }: Reusable): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ restore: boolean }>("select beginning.restore($1)", [pooledProcessIds(database.url)]);
    return rows[0]?.restore === true;
  } catch {
    return false;
  }
}

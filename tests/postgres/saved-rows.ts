import pg from "pg";

/** With more, the database is created again, because every query reads past deleted rows. */
const maxDeletedRows = 5_000;

/**
 * Saves a copy of the database's rows in the schema `saved`, with a function `saved.restore(spared)`: it ends connections, except those of
 * the spared processes, and restores the rows. It returns false when a test has changed tables or statistics, or left many deleted rows.
 */
export async function saveRows(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("create schema saved");
    const tables = await namesOf(client, "select tablename as name from pg_tables where schemaname = 'public' order by 1");
    const restored: string[] = [];
    for (const table of tables) restored.push(await saveTable(client, table));
    const sequences = await namesOf(client, "select sequencename as name from pg_sequences where schemaname = 'public' order by 1");
    for (const sequence of sequences) restored.push(await saveSequence(client, sequence));
    await client.query(`create table saved.shape as ${shape}`);
    await client.query(restoreFunction(restored));
  } finally {
    await client.end();
  }
}

const shape = `select count(*) as tables, max(oid::bigint) as newest, sum(relnatts) as columns, sum(reltuples) as counted
  from pg_class where relnamespace = 'public'::regnamespace`;

async function namesOf(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
}

/** The statements that restore one table. */
async function saveTable(client: pg.Client, table: string): Promise<string> {
  const { rowCount } = await client.query(`select from public."${table}" limit 1`);
  const remove = `if exists (select from public."${table}") then
    delete from public."${table}"; get diagnostics gone = row_count; deleted := deleted + gone; end if;`;
  if (rowCount === 0) return remove;
  await client.query(`create table saved."${table}" as table public."${table}"`);
  const columns = await namesOf(
    client,
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = 'public."${table}"'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  return `${remove}
    insert into public."${table}" (${columns}) overriding system value select ${columns} from saved."${table}";`;
}

async function saveSequence(client: pg.Client, sequence: string): Promise<string> {
  const { rows } = await client.query(`select last_value, is_called from public."${sequence}"`);
  return `perform setval('public."${sequence}"', ${rows[0].last_value}, ${rows[0].is_called});`;
}

/** For a session without triggers and foreign keys. */
function restoreFunction(statements: string[]): string {
  return `create function saved.restore(spared int[]) returns boolean language plpgsql as $$
    declare gone bigint; deleted bigint := 0;
    begin
      perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and pid <> all (spared);
      ${statements.join("\n      ")}
      return deleted < ${maxDeletedRows} and (select shape from saved.shape) = (select now from (${shape}) now);
    end $$`;
}

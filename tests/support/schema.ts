import { type RawBuilder, sql } from "kysely";
import type { Engine } from "#platform/database/engine.ts";
import type { Database } from "#platform/database/open.ts";

/** Every object of a database except rows: its name and the engine's description. */
export async function readSchema(db: Database, engine: Engine): Promise<Record<string, string>> {
  const described: Record<string, string> = {};
  for (const query of engine === "sqlite" ? onSqlite : onPostgres) {
    const { rows } = await query.execute(db);
    for (const { name, definition } of rows) described[name] = definition.toLowerCase().replace(/[\s"]+/g, "");
  }
  return described;
}

type SchemaQuery = RawBuilder<{ name: string; definition: string }>;

const plain = sql`from pragma_table_list t where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%'`;

const onSqlite: SchemaQuery[] = [
  sql`select type || ' ' || name as name, sql as definition from sqlite_schema
    where sql is not null and (type in ('index', 'trigger', 'view') or sql like '%virtual table%')`,
  sql`select 'column ' || t.name || '.' || c.name as name, concat_ws(' ', c.type, c."notnull", c.dflt_value, c.pk) as definition
    from pragma_table_info(t.name) c join (select t.name ${plain}) t`,
  sql`select 'key ' || t.name || '.' || k."from" as name, concat_ws(' ', k."table", k."to", k.on_delete) as definition
    from pragma_foreign_key_list(t.name) k join (select t.name ${plain}) t`,
  sql`select 'unique ' || t.name || ' ' || i.origin || group_concat(c.name) as name, '' as definition
    from (select t.name ${plain}) t join pragma_index_list(t.name) i join pragma_index_info(i.name) c
    where i.origin <> 'c' group by i.name`,
];

const currentSchema = sql`current_schema()::regnamespace`;
const notOfExtensions = (table: string) =>
  sql`not exists (select from pg_depend d where d.classid = ${sql.lit(table)}::regclass and d.objid = o.oid and d.deptype = 'e')`;

const onPostgres: SchemaQuery[] = [
  sql`select 'relation ' || o.relname as name, concat_ws(' ', o.relkind, o.reloptions, case o.relkind when 'i' then pg_get_indexdef(o.oid) end) as definition
    from pg_class o where o.relnamespace = ${currentSchema} and o.relkind in ('r', 'i', 'S') and ${notOfExtensions("pg_class")}
    union all select 'relation ' || o.relname, pg_get_viewdef(o.oid) from pg_class o where o.relnamespace = ${currentSchema} and o.relkind = 'v'`,
  sql`select 'column ' || table_name || '.' || column_name as name,
      concat_ws(' ', data_type, collation_name, is_nullable, column_default) as definition
    from information_schema.columns where table_schema = current_schema()`,
  sql`select 'constraint ' || o.conrelid::regclass || '.' || o.conname as name, pg_get_constraintdef(o.oid) as definition
    from pg_constraint o where o.connamespace = ${currentSchema} and o.contype <> 'n'`,
  sql`select 'trigger ' || o.tgname as name, pg_get_triggerdef(o.oid) as definition
    from pg_trigger o join pg_class c on c.oid = o.tgrelid where c.relnamespace = ${currentSchema} and not o.tgisinternal`,
  sql`select 'function ' || o.oid::regprocedure as name, pg_get_functiondef(o.oid) as definition
    from pg_proc o where o.pronamespace = ${currentSchema} and ${notOfExtensions("pg_proc")}`,
];

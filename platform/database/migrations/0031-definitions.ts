import { type Kysely, runAll, type Step, sql } from "./step.ts";

/**
 * Triggers, functions and search indexes move to ../definitions/, and tables get the names that the code uses. The old ones are dropped:
 * the definitions are created after this.
 */
export const definitions: Step = async (db, { engine, text }) => {
  await (engine === "sqlite" ? dropTriggersOnSqlite(db) : dropFunctionsOnPostgres(db));
  await db.schema
    .createTable("definitions")
    .addColumn("name", text, (c) => c.primaryKey().notNull())
    .addColumn("hash", text, (c) => c.notNull())
    // The statements that drop the file's definitions.
    .addColumn("drops", text, (c) => c.notNull())
    .execute();
  await runAll(db, renames);
  if (engine === "postgres") await runAll(db, renamesOnPostgres);
};

async function dropTriggersOnSqlite(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'trigger'`.execute(db);
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(db);
}

async function dropFunctionsOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`do $$
    declare statement text;
    begin
      for statement in
        select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace
      loop execute statement; end loop;
      for statement in
        select format('drop function %s', p.oid::regprocedure) from pg_proc p
        where p.pronamespace = current_schema()::regnamespace and p.prorettype = 'trigger'::regtype
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop execute statement; end loop;
    end $$`.execute(db);
  await runAll(
    db,
    "drop function if exists tally_slot();\n\ndrop function if exists stories_found(text[], integer, bigint, boolean, boolean);",
  );
}

const renames = `
alter table tallies rename to counters;

alter table counters rename column slot to shard;

alter table daily_tallies rename to daily_counters;

alter table daily_counters rename column slot to shard;

alter table member_tallies rename to member_counters;

alter table acts rename to moderation_actions;

alter table suspensions rename column "actId" to "actionId";

alter table removed_likes rename column "actId" to "actionId";

alter table audit_log rename column "actId" to "actionId";

alter table departed rename to deleted_accounts;

alter table deleted_accounts rename column "leftAt" to "deletedAt";

alter table letter_choices rename to email_choices;

alter table participants rename column "letterAt" to "emailDueAt";

drop index acts_member;

drop index acts_subject;

drop index acts_batch;

drop index acts_end;

drop index participants_letters;

create index moderation_actions_member on moderation_actions ("memberId", number);

create index moderation_actions_subject on moderation_actions (subject, number);

create index moderation_actions_batch on moderation_actions ("batchId") where "batchId" is not null;

create index moderation_actions_end on moderation_actions (kind, "endsAt") where "undoneAt" is null;

create index participants_email on participants ("emailDueAt") where "emailDueAt" is not null;

drop table if exists migrations_lock;
`;

/** Constraint names begin with table and column names. SQLite doesn't show them. */
const renamesOnPostgres = `
alter sequence acts_number_seq rename to moderation_actions_number_seq;

do $$
  declare statement text;
  begin
    for statement in
      select format('alter table %s rename constraint %I to %I', conrelid::regclass, conname,
        replace(replace(replace(replace(replace(replace(conname, 'tallies_', 'counters_'), '_slot_', '_shard_'), 'acts_', 'moderation_actions_'),
          'actId', 'actionId'), 'departed_', 'deleted_accounts_'), 'letter_choices_', 'email_choices_'))
      from pg_constraint where connamespace = current_schema()::regnamespace and conname ~ 'tallies_|^acts_|actId|^departed_|letter_choices_'
    loop execute statement; end loop;
  end $$;
`;

import type { Site } from "#domain/site.ts";
import { databaseVersion, versionColumn } from "#platform/database/version.ts";

export type SessionKey = { token: string } | { id: string };

export type SessionRow = Awaited<ReturnType<typeof ask>>;

/** As many as are remembered at a time; each is about half a kilobyte. */
const maxKnownSessions = 10_000;

type Remembered = { version: string; rows: Map<string, SessionRow> };
const remembered = new WeakMap<Site["db"], Remembered>();

/**
 * A session's row, or undefined where there is none. One that was read before is read again unless nothing at all was
 * committed to the database since, by whatever process, which is asked each time: that costs less, and those who ask at the
 * same time share the answer (docs/decisions/0010-session-cache.md).
 */
export async function readSession(site: Site, by: SessionKey): Promise<SessionRow> {
  const key = "token" in by ? `token ${by.token}` : `id ${by.id}`;
  if (remembered.get(site.db)?.rows.has(key)) {
    const version = await databaseVersion(site.db, site.engine);
    const known = remembered.get(site.db);
    const row = known?.version === version ? known.rows.get(key) : undefined;
    if (row) return row;
  }
  const row = await ask(site, by);
  if (row) remember(site, key, row);
  return row;
}

function remember({ db }: Site, key: string, row: NonNullable<SessionRow>): void {
  let known = remembered.get(db);
  if (known?.version !== row.version || known.rows.size >= maxKnownSessions) {
    known = { version: row.version, rows: new Map() };
    remembered.set(db, known);
  }
  known.rows.set(key, row);
}

async function ask(site: Site, by: SessionKey) {
  const { rows } = await site.db.executeQuery(findSession(site, by));
  return rows[0];
}

/** Somebody without a session, as a key stands for them; undefined where there is no such account. */
export async function readPerson({ db, engine }: Site, userId: string) {
  return db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .leftJoin("suspensions as x", "x.userId", "u.id")
    .select(["u.id", "u.email", "u.emailVerified", "u.twoFactorEnabled", "p.profileImage", "a.role", "x.until"])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("passkeys").select("passkeys.id").whereRef("passkeys.userId", "=", "u.id")).as("hasPasskey"),
    )
    .select((eb) => [eb.fn.coalesce("p.userName", "u.name").as("name"), versionColumn(engine).as("version")])
    .where("u.id", "=", userId)
    .executeTakeFirst();
}

export type PersonRow = NonNullable<Awaited<ReturnType<typeof readPerson>>> & { provedAt: number | null };

type Question = ReturnType<typeof compileQuestion>;
const questions = new WeakMap<Site["db"], { token: Question; id: Question }>();

function findSession(site: Site, by: SessionKey): Question {
  const known = questions.get(site.db) ?? { token: compileQuestion(site, "token"), id: compileQuestion(site, "id") };
  questions.set(site.db, known);
  return "token" in by ? { ...known.token, parameters: [by.token] } : { ...known.id, parameters: [by.id] };
}

function compileQuestion({ db, engine }: Site, by: "token" | "id") {
  return db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.userId")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .leftJoin("suspensions as x", "x.userId", "u.id")
    .leftJoin("session_proofs as o", "o.sessionId", "s.id")
    .select([
      "s.id as sessionId",
      "s.expiresAt",
      "s.createdAt",
      "s.updatedAt",
      "u.id",
      "u.email",
      "u.emailVerified",
      "p.profileImage",
      "a.role",
      "x.until",
      "o.provedAt",
    ])
    .select("u.twoFactorEnabled")
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("passkeys").select("passkeys.id").whereRef("passkeys.userId", "=", "u.id")).as("hasPasskey"),
    )
    .select((eb) => [eb.fn.coalesce("p.userName", "u.name").as("name"), versionColumn(engine).as("version")])
    .where(`s.${by}`, "=", "")
    .compile();
}

import type { Site } from "#domain/site.ts";
import { WhileUnchanged } from "#domain/while-unchanged.server.ts";
import { versionColumn } from "#platform/database/version.ts";

export type SessionKey = { token: string } | { id: string };

export type SessionRow = Awaited<ReturnType<typeof ask>>;

const sessionBytes = 1_000;
const sessions = new WhileUnchanged<NonNullable<SessionRow>>("session");

/**
 * A session's row, or undefined where there is none. One that was read before is read again unless nothing at all was
 * committed to the database since, by whatever process, which is asked each time: that costs less, and those who ask at the
 * same time share the answer (docs/decisions/0010-session-cache.md).
 */
export async function readSession(site: Site, by: SessionKey): Promise<SessionRow> {
  const key = "token" in by ? `token ${by.token}` : `id ${by.id}`;
  const known = sessions.has(site, key) && sessions.get(site, key, await site.versions.database());
  if (known) return known;
  const row = await ask(site, by);
  if (row) sessions.set(site, key, { version: row.version, value: row, bytes: sessionBytes });
  return row;
}

/** Someone without a session, as a key stands for them; undefined where there is no such account. */
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

async function ask({ db, engine }: Site, by: SessionKey) {
  const [column, value] = "token" in by ? (["s.token", by.token] as const) : (["s.id", by.id] as const);
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
    .where(column, "=", value)
    .executeTakeFirst();
}

import { sql } from "kysely";
import type { Site, StaffRole } from "#domain/site.ts";
import { VersionedCache } from "#domain/versioned-cache.server.ts";
import { versionColumn } from "#platform/database/version.ts";

export type SessionKey = { token: string } | { id: string };

export type SessionRow = Awaited<ReturnType<typeof selectSession>>;

const sessionBytes = 1_000;
const sessions = new VersionedCache<NonNullable<SessionRow>>("session");

/**
 * A session's row, or undefined where there is none. One that was read before is read again unless nothing at all was
 * committed to the database since, by whatever process, which is asked each time: that costs less, and those who ask at the
 * same time share the answer (docs/decisions/0010-session-cache.md).
 */
export async function readSession(site: Site, by: SessionKey): Promise<SessionRow> {
  const key = "token" in by ? `token ${by.token}` : `id ${by.id}`;
  const known = sessions.has(site, key) && sessions.get(site, key, await site.versions.database());
  if (known) return known;
  const row = await selectSession(site, by);
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

type FoundSession = {
  sessionId: string;
  expiresAt: string | Date;
  createdAt: string | Date;
  updatedAt: string | Date;
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  twoFactorEnabled: boolean;
  hasPasskey: boolean;
  profileImage: string | null;
  role: StaffRole | null;
  until: number | null;
  provedAt: number | null;
  version: string;
};

/** Written out: asked with each page and each message, and building it anew took several times as long as running it. */
async function selectSession({ db, engine }: Site, by: SessionKey): Promise<FoundSession | undefined> {
  const [column, value] = "token" in by ? [sql.raw("s.token"), by.token] : [sql.raw("s.id"), by.id];
  const { rows } = await sql<FoundSession>`
    select s.id as "sessionId", s."expiresAt", s."createdAt", s."updatedAt", u.id, coalesce(p."userName", u.name) as name, u.email,
      u."emailVerified", u."twoFactorEnabled", exists (select 1 from passkeys where "userId" = u.id) as "hasPasskey", p."profileImage",
      a.role, x.until, o."provedAt", ${versionColumn(engine)} as version
    from sessions s join users u on u.id = s."userId" left join profiles p on p."userId" = u.id
      left join administrators a on a."userId" = u.id left join suspensions x on x."userId" = u.id
      left join session_proofs o on o."sessionId" = s.id
    where ${column} = ${value}`.execute(db);
  return rows[0];
}

import { hashCost } from "#domain/accounts/sign-in/password-hashes.server.ts";
import { type Member, memberWithoutSession } from "#domain/site.ts";
import type { Database } from "#platform/database/open.ts";

/** Named people of the tests. Everyone's password is `password`. */
export const people = {
  /** Writes stories. */
  maren: { id: "19dfa1c0000maren00", name: "Maren Oduya", email: "maren@example.com", isEmailConfirmed: true, staff: null },
  /** Reads them. */
  tobias: { id: "19dfa1c0000tobias0", name: "Tobias Lindqvist", email: "tobias@example.com", isEmailConfirmed: true, staff: null },
  /** Has not confirmed the address. */
  salma: { id: "19dfa1c0000salma00", name: "Salma Rahimi", email: "salma@example.com", isEmailConfirmed: false, staff: null },
  /** Administers the site. */
  ruth: { id: "19dfa1c0000ruth000", name: "Ruth Castellanos", email: "ruth@example.com", isEmailConfirmed: true, staff: "administrator" },
} as const;

export type PersonName = keyof typeof people;

/** A named person as verbs know them outside a session. */
export function memberNamed(name: PersonName): Member {
  return memberWithoutSession({ ...people[name], isReauthenticated: true });
}

export const password = "a lamp in the window";

const fullHashCost = { ...hashCost };

/** For this process; `password-hashes.test.ts` tests the full cost. */
export function lowerHashCost(): void {
  Object.assign(hashCost, { memory: 8, passes: 1 });
}

/** For tests of the time that hashing takes. */
export async function atFullHashCost(work: () => Promise<void>): Promise<void> {
  Object.assign(hashCost, fullHashCost);
  await work().finally(lowerHashCost);
}

/** Inserts the named people as signing up would, with one hash for all. */
export async function insertPeople(db: Database, passwordHash: string, now: number): Promise<void> {
  const date = new Date(now).toISOString();
  for (const { id, name, email, isEmailConfirmed, staff } of Object.values(people)) {
    const user = { id, name, email, emailVerified: isEmailConfirmed, image: null, createdAt: date, updatedAt: date };
    await db.insertInto("users").values(user).execute();
    await db
      .withTables<{ accounts: Record<string, unknown> }>()
      .insertInto("accounts")
      .values({
        id: `account-${id}`,
        userId: id,
        accountId: id,
        providerId: "credential",
        password: passwordHash,
        createdAt: date,
        updatedAt: date,
      })
      .execute();
    const links = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
    await db
      .insertInto("profiles")
      .values({ userId: id, userName: name, ...links, profileImage: null, createdAt: now, updatedAt: now })
      .execute();
    if (staff) await db.insertInto("administrators").values({ userId: id, createdAt: now }).execute();
  }
}

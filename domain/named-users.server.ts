import type { Site, SiteTransaction } from "./site.ts";

/** Members by the name in their profile, or else that of their account. */
export function namedUsers({ db }: Pick<Site, "db"> | Pick<SiteTransaction, "db">) {
  return db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .select(({ fn }) => ["u.id", fn.coalesce("p.userName", "u.name").as("name")]);
}

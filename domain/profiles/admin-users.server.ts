import { type Nullable, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Tables } from "#platform/database/schema.ts";
import { matchingMembers, memberMatcher } from "#platform/database/search/member-search.ts";
import { days } from "#platform/time.ts";
import { readCounters } from "../counters/counters.server.ts";
import { type NumberedPage, type PageWindow, pageOfAll, planPage, rowsOfPage } from "../numbered-pages.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import { grantedRole } from "../staff/staff.server.ts";
import type { AdminUser, UserSort, UserState, UserTotals } from "./admin-users.ts";

export type UserQuery = { search: string; sort: UserSort; state?: UserState | undefined } & NumberedPage;

/** `isMore`: searches and state filters count at most 250. */
export type UserPage = { users: AdminUser[]; total: number; page: number; isMore: boolean };

const maxSearchMatches = 250;
const maxSearchedInState = 1_000;

export async function countUsers(site: Site, viewer: Viewer): Promise<UserTotals> {
  requirePermission(viewer, "list members");
  const weekAgo = new Date(site.now() - days(7)).toISOString();
  const joined = site.db.selectFrom("users").select((eb) => eb.fn.countAll<number>().as("count"));
  const [counters, { count }] = await Promise.all([readCounters(site), joined.where("createdAt", ">=", weekAgo).executeTakeFirstOrThrow()]);
  return { users: counters.members, writers: counters.writers, newThisWeek: Number(count), likes: counters.publishedLikes };
}

export async function listUsers(site: Site, viewer: Viewer, listing: UserQuery): Promise<UserPage> {
  requirePermission(viewer, "list members");
  const { search, sort, state } = listing;
  if (search !== "" || state) return findUsers(site, listing);
  const { members: total } = await readCounters(site);
  const pageWindow = await planPage(listing, total, (id) => findPlace(site, id, sort));
  return { users: await listPage(site, sort, pageWindow), total, page: pageWindow.page, isMore: false };
}

type FoundIds = { ids: string[]; isMore: boolean };

async function findUsers(site: Site, { search, sort, state, ...listing }: UserQuery): Promise<UserPage> {
  const { ids, isMore } = state ? await findInState(site, { search, sort, state }) : await findMatching(site, search, sort);
  const { page, rows: shown } = pageOfAll(ids, listing);
  const rows = shown.length > 0 ? await members(site, sort).where("users.id", "in", shown).execute() : [];
  const users = (await withRoleAndSuspension(site, rows)).sort((byId, other) => shown.indexOf(byId.id) - shown.indexOf(other.id));
  return { users, total: ids.length, page, isMore };
}

async function findMatching(site: Site, search: string, sort: UserSort): Promise<FoundIds> {
  const one = await site.db.selectFrom("users").select("id").where("id", "=", search).executeTakeFirst();
  if (one) return { ids: [one.id], isMore: false };
  const { rows } = await matchingMembers(site.engine, search, maxSearchMatches).execute(site.db);
  const ids = rows.toSorted((a, b) => (sort === "oldest" ? a.number - b.number : b.number - a.number)).map(({ userId }) => userId);
  const isMore = ids.length === maxSearchMatches;
  if (sort !== "name" || ids.length === 0) return { ids, isMore };
  const named = await inOrder(namedMembers(site, sort).where("users.id", "in", ids), sort, false)
    .select("users.id")
    .execute();
  return { ids: named.map(({ id }) => id), isMore };
}

/** A search looks at each of the suspended and staff, who are few, and among the newest matches for unconfirmed members. */
async function findInState(site: Site, { search, sort, state }: { search: string; sort: UserSort; state: UserState }): Promise<FoundIds> {
  let query = namedMembers(site, sort).where(hasState(site, state));
  let isPart = false;
  if (search !== "" && state === "unconfirmed") {
    const { rows } = await matchingMembers(site.engine, search, maxSearchedInState).execute(site.db);
    isPart = rows.length === maxSearchedInState;
    query = query.where("users.id", "in", [search, ...rows.map(({ userId }) => userId)]);
  }
  const isSearched = search !== "" && state !== "unconfirmed";
  const limit = isSearched ? maxSearchedInState : maxSearchMatches;
  const listed = await inOrder(query, sort, false)
    .select((eb) => ["users.id", "users.email", eb.fn.coalesce("profiles.userName", "users.name").as("name")])
    .limit(limit)
    .execute();
  const matches = isSearched ? memberMatcher(search) : () => true;
  const ids = listed.filter(({ id, name, email }) => id === search || matches(`${name} ${email}`)).map(({ id }) => id);
  return { ids: ids.slice(0, maxSearchMatches), isMore: isPart || listed.length === limit || ids.length > maxSearchMatches };
}

function hasState(site: Site, state: UserState): RawBuilder<boolean> {
  // Exactly as in the partial index.
  if (state === "unconfirmed") return sql<boolean>`users."emailVerified" = ${sql.lit(false)}`;
  if (state === "suspended") return sql<boolean>`users.id in (select "userId" from suspensions where until > ${site.now()})`;
  const listed = site.adminEmails.length > 0 ? sql`or users.email in (${sql.join(site.adminEmails)})` : sql``;
  return sql<boolean>`(users.id in (select "userId" from administrators) ${listed})`;
}

type SortPosition = { key: string | Date; id: string };

async function findPlace(site: Site, id: string, sort: UserSort): Promise<SortPosition | undefined> {
  return site.db
    .selectFrom("users")
    .leftJoin("profiles", "profiles.userId", "users.id")
    .select(["users.id", keys[sort].as("key")])
    .where("users.id", "=", id)
    .executeTakeFirst();
}

async function listPage(
  site: Site,
  sort: UserSort,
  { from, backwards, skip, take, limit }: PageWindow<SortPosition>,
): Promise<AdminUser[]> {
  let query = inOrder(members(site, sort), sort, backwards);
  if (from) {
    const side = sql.raw(`${(sort === "newest") !== backwards ? "<" : ">"}${backwards ? "" : "="}`);
    query = query.where(sql<boolean>`(${keys[sort]}, ${ids[sort]}) ${side} (${from.key}, ${from.id})`);
  }
  const rows = await query
    .limit(take - skip)
    .offset(skip)
    .execute();
  return withRoleAndSuspension(site, rowsOfPage(rows, { backwards, limit }));
}

const keys: Record<UserSort, RawBuilder<string | Date>> = {
  newest: sql`users."createdAt"`,
  oldest: sql`users."createdAt"`,
  name: sql`lower(profiles."userName")`,
};

const ids = { newest: sql`users.id`, oldest: sql`users.id`, name: sql`profiles."userId"` };

function inOrder<Db, From extends keyof Db, Row>(query: SelectQueryBuilder<Db, From, Row>, sort: UserSort, backwards: boolean) {
  const order = (sort === "newest") !== backwards ? "desc" : "asc";
  return query.orderBy(keys[sort], order).orderBy(ids[sort], order);
}

type UsersWithProfiles = SelectQueryBuilder<Tables & { profiles: Nullable<Tables["profiles"]> }, "users" | "profiles", object>;

/** Members by name, from the index on profile names. Leaves out accounts without a profile, which the sweep creates. */
function namedMembers({ db }: Site, sort: UserSort): UsersWithProfiles {
  return (
    sort === "name"
      ? db.selectFrom("profiles").innerJoin("users", "users.id", "profiles.userId")
      : db.selectFrom("users").leftJoin("profiles", "profiles.userId", "users.id")
  ) as UsersWithProfiles;
}

function members(site: Site, sort: UserSort) {
  return namedMembers(site, sort)
    .leftJoin("member_counters", "member_counters.userId", "users.id")
    .select(["users.id", "users.email", "users.emailVerified", "users.createdAt", "profiles.location", "profiles.profileImage"])
    .select(["member_counters.published", "member_counters.likesReceived", "member_counters.messagesSent"])
    .select((eb) => eb.fn.coalesce("profiles.userName", "users.name").as("name")) as unknown as SelectQueryBuilder<
    Tables,
    "users",
    MemberRow
  >;
}

type MemberRow = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  createdAt: string | Date;
  location: string | null;
  profileImage: string | null;
  published: number | null;
  likesReceived: number | null;
  messagesSent: number | null;
};

async function withRoleAndSuspension(site: Site, rows: MemberRow[]): Promise<AdminUser[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [roles, suspensions] = await Promise.all([
    site.db.selectFrom("administrators").select(["userId", "role"]).where("userId", "in", ids).execute(),
    site.db.selectFrom("suspensions").select(["userId", "until"]).where("userId", "in", ids).where("until", ">", site.now()).execute(),
  ]);
  return rows.map(({ emailVerified, createdAt, published, likesReceived, messagesSent, ...row }) => ({
    ...row,
    location: row.location ?? "",
    confirmed: emailVerified,
    joinedAt: new Date(createdAt).getTime(),
    posts: published ?? 0,
    likes: likesReceived ?? 0,
    messages: messagesSent ?? 0,
    role: grantedRole(site, { email: row.email, role: roles.find(({ userId }) => userId === row.id)?.role ?? null }),
    suspendedUntil: suspensions.find(({ userId }) => userId === row.id)?.until ?? null,
  }));
}

import { type Nullable, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Tables } from "#platform/database/schema.ts";
import { type FoundMember, matchingMembers } from "#platform/database/search/member-search.ts";
import { readCounters, readDays } from "../counters/counters.server.ts";
import { dayOf } from "../counters/counters.ts";
import { type NumberedPage, type PageWindow, pageOfAll, rowsOfPage, wayTo } from "../numbered-pages.ts";
import { mustBeAllowed } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import type { AdminUser, UserSort, UserTotals } from "./admin-users.ts";

export type UserListing = { search: string; sort: UserSort } & NumberedPage;

/** Of a search at most 250 are counted, those who joined last (`isMore`). */
export type UserPage = { users: AdminUser[]; total: number; page: number; isMore: boolean };

const maxSearchMatches = 250;

export async function countUsers(site: Site, viewer: Viewer): Promise<UserTotals> {
  mustBeAllowed(viewer, "list members");
  const today = dayOf(site.now());
  const [counters, week] = await Promise.all([readCounters(site), readDays(site, ["members"], { from: today - 6, to: today })]);
  const newThisWeek = week.reduce((sum, { members }) => sum + members, 0);
  return { users: counters.members, writers: counters.writers, newThisWeek, likes: counters.likes };
}

export async function listUsers(site: Site, viewer: Viewer, listing: UserListing): Promise<UserPage> {
  mustBeAllowed(viewer, "list members");
  const { search, sort } = listing;
  if (search !== "") return findUsers(site, listing);
  const { members: total } = await readCounters(site);
  const way = await wayTo(listing, total, (id) => findPlace(site, id, sort));
  return { users: await walk(site, sort, way), total, page: way.page, isMore: false };
}

async function findUsers(site: Site, { search, sort, ...listing }: UserListing): Promise<UserPage> {
  const found = matchingMembers(site.engine, search, maxSearchMatches);
  const ids = await sorted(site, found, sort);
  const { page, rows: shown } = pageOfAll(ids, listing);
  const rows = shown.length > 0 ? await members(site, sort).where("users.id", "in", shown).execute() : [];
  const users = rows.map(userOf).sort((one, other) => shown.indexOf(one.id) - shown.indexOf(other.id));
  return { users, total: ids.length, page, isMore: ids.length === maxSearchMatches };
}

async function sorted(site: Site, found: RawBuilder<FoundMember>, sort: UserSort): Promise<string[]> {
  if (sort === "name") {
    const named = namedMembers(site, sort).where(sql<boolean>`users.id in (select "userId" from (${found}) as found)`);
    const rows = await inOrder(named, sort, false).select("users.id").execute();
    return rows.map(({ id }) => id);
  }
  const direction = sql.raw(sort === "newest" ? "desc" : "asc");
  const { rows } = await sql<FoundMember>`select "userId" from (${found}) as found order by number ${direction}`.execute(site.db);
  return rows.map(({ userId }) => userId);
}

type Place = { key: string | Date; id: string };

async function findPlace(site: Site, id: string, sort: UserSort): Promise<Place | undefined> {
  return site.db
    .selectFrom("users")
    .leftJoin("profiles", "profiles.userId", "users.id")
    .select(["users.id", keys[sort].as("key")])
    .where("users.id", "=", id)
    .executeTakeFirst();
}

async function walk(site: Site, sort: UserSort, { from, backwards, skip, take, limit }: PageWindow<Place>): Promise<AdminUser[]> {
  let query = inOrder(members(site, sort), sort, backwards);
  if (from) {
    const side = sql.raw(`${(sort === "newest") !== backwards ? "<" : ">"}${backwards ? "" : "="}`);
    query = query.where(sql<boolean>`(${keys[sort]}, ${ids[sort]}) ${side} (${from.key}, ${from.id})`);
  }
  const rows = await query
    .limit(take - skip)
    .offset(skip)
    .execute();
  return rowsOfPage(rows, { backwards, limit }).map(userOf);
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

/** By name whoever has one, which is everybody but an account whose profile could not be made: from the names' own index. */
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
    .select(["member_counters.posts", "member_counters.likesReceived", "member_counters.messagesSent"])
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
  posts: number | null;
  likesReceived: number | null;
  messagesSent: number | null;
};

function userOf({
  id,
  name,
  email,
  emailVerified,
  createdAt,
  location,
  profileImage,
  posts,
  likesReceived,
  messagesSent,
}: MemberRow): AdminUser {
  const done = { posts: posts ?? 0, likes: likesReceived ?? 0, messages: messagesSent ?? 0 };
  return {
    id,
    name,
    email,
    location: location ?? "",
    profileImage,
    confirmed: emailVerified,
    joinedAt: new Date(createdAt).getTime(),
    ...done,
  };
}

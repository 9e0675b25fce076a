import { sql } from "kysely";
import { matchingMembers } from "#platform/database/search/member-search.ts";
import { plainLetters } from "#platform/database/search/search-words.ts";
import { namedUsers } from "../named-users.server.ts";
import { may, requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import { shownInChats } from "./conversation.server.ts";
import { type FoundPeople, maxPeople, type Person } from "./message.ts";

/** The newest of each are searched. */
const searchedConversations = 2_000;
const searchedMembers = 250;

/** People by a part of their name, never by email address: partners, latest first, and others who aren't suspended. */
export async function findPeople(site: Site, viewer: Viewer, typed: string): Promise<FoundPeople> {
  requirePermission(viewer, "read a conversation", viewer?.id);
  const foldedName = plain(typed.slice(0, 100));
  if (foldedName === "") return { partners: [], others: [] };
  const partners = await partnersOf(site, viewer.id);
  const others = may(viewer, "send a message") ? await membersLike(site, typed.slice(0, 100)) : [];
  const isNamed = ({ name }: Person) => plain(name).includes(foldedName);
  const known = new Set([viewer.id, ...partners.map(({ id }) => id)]);
  return {
    partners: partners.filter(isNamed).slice(0, maxPeople),
    others: others.filter((person) => isNamed(person) && !known.has(person.id)).slice(0, maxPeople),
  };
}

async function partnersOf({ db, now }: Site, viewerId: string): Promise<Person[]> {
  return db
    .selectFrom("participants as c")
    .innerJoin("users as u", "u.id", "c.partnerId")
    .leftJoin("profiles as p", "p.userId", "c.partnerId")
    .select((eb) => ["u.id", shownInChats("profileImage", now()), eb.fn.coalesce("p.userName", "u.name").as("name")])
    .where("c.userId", "=", viewerId)
    .where("c.lastAt", "is not", null)
    .orderBy("c.lastAt", "desc")
    .limit(searchedConversations)
    .execute();
}

async function membersLike(site: Site, typed: string): Promise<Person[]> {
  const found = matchingMembers(site.engine, typed, searchedMembers);
  return namedUsers(site)
    .leftJoin("suspensions as x", "x.userId", "u.id")
    .select("p.profileImage")
    .where(sql<boolean>`u.id in (select "userId" from (${found}) as found)`)
    .where((eb) => eb.or([eb("x.until", "is", null), eb("x.until", "<=", site.now())]))
    .orderBy("name")
    .execute();
}

function plain(text: string): string {
  return plainLetters(text).replace(/\p{M}/gu, "").trim();
}

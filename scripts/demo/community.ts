import { createAuth } from "#domain/accounts/sign-in/auth.server.ts";
import type { Member, Site } from "#domain/site.ts";
import type { Mail } from "#platform/mail/mail.ts";

/** A site with a clock that the seed sets. */
export type DemoSite = Site & { setClock(time: number): void };

/** Members by their keys in members.json. */
export type DemoMembers = Map<string, Member>;

export const minute = 60_000;
export const day = 24 * 60 * minute;

export function memberOf(members: DemoMembers, key: string): Member {
  const member = members.get(key);
  if (!member) throw new Error(`members.json has no "${key}"`);
  return member;
}

/** The same site without mail. */
export function withSettableClock(opened: Site): DemoSite {
  let time = 0;
  const now = () => time;
  const mail: Mail = { delivers: false, send: async () => {} };
  const { db, engine, url, secret, settings } = opened;
  const auth = createAuth({ db, engine, sendEmail: async () => {}, url, secret, settings, now });
  return {
    ...opened,
    mail,
    auth,
    now,
    setClock(to) {
      time = to;
    },
  };
}

import { useSyncExternalStore } from "react";

/** What a page shows of a member wherever one stands. */
type ShownMember = { id: string; name: string; profileImage?: string | null | undefined };
type FreshMember = { name: string; profileImage: string | null };

const maxFreshMembers = 500;
const freshMembers = new Map<string, FreshMember>();
const watchers = new Set<() => void>();

export function learnOfMember(userId: string, fresh: FreshMember): void {
  freshMembers.delete(userId);
  freshMembers.set(userId, fresh);
  const oldest = freshMembers.keys().next();
  if (freshMembers.size > maxFreshMembers && !oldest.done) freshMembers.delete(oldest.value);
  for (const notify of watchers) notify();
}

export function forgetMembers(): void {
  freshMembers.clear();
  for (const notify of watchers) notify();
}

/** The same member with the name and picture of now, which may be newer than the page. */
export function useFreshMember<Member extends ShownMember>(member: Member): Member {
  const fresh = useSyncExternalStore(
    watch,
    () => freshMembers.get(member.id),
    () => undefined,
  );
  return fresh ? { ...member, ...fresh } : member;
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

import { useSyncExternalStore } from "react";
import { useRoot } from "#app/shell/root-data.ts";
import { useLive } from "./use-live.ts";

type ShownMember = { id: string; name: string; profileImage?: string | null | undefined };
type FreshMember = { name: string; profileImage: string | null };

const maxLiveProfiles = 500;
const freshMembers = new Map<string, FreshMember>();
const listeners = new Set<() => void>();

/** Receives changes of names and pictures, for `useLiveProfile`. */
export function ProfileUpdates() {
  const { viewer } = useRoot();
  useLive(viewer ? ["profiles"] : [], ({ type, data }) => {
    if (type === "gap") freshMembers.clear();
    else if ((type === "profile.changed" || type === "profile.created") && "name" in data) update(data.userId, data);
    for (const listener of listeners) listener();
  });
  return null;
}

function update(userId: string, { name, profileImage }: FreshMember): void {
  freshMembers.delete(userId);
  freshMembers.set(userId, { name, profileImage });
  const oldest = freshMembers.keys().next();
  if (freshMembers.size > maxLiveProfiles && !oldest.done) freshMembers.delete(oldest.value);
}

/** The member with the present name and picture, which may be newer than the page. */
export function useLiveProfile<Member extends ShownMember>(member: Member): Member {
  const fresh = useSyncExternalStore(
    subscribe,
    () => freshMembers.get(member.id),
    () => undefined,
  );
  return fresh ? { ...member, ...fresh } : member;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

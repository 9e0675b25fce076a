import { useSyncExternalStore } from "react";
import { Listeners } from "#app/browser/listeners.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { useLive } from "./use-live.ts";

type ShownMember = { id: string; name: string; profileImage?: string | null | undefined };
type UpdatedMember = { name: string; profileImage: string | null };

const maxLiveProfiles = 500;
const updatedMembers = new Map<string, UpdatedMember>();
const updates = new Listeners();

/** Receives changes of names and pictures, for `useLiveProfile`. */
export function ProfileUpdates() {
  const { viewer } = useRoot();
  useLive(viewer ? ["profiles"] : [], ({ type, data }) => {
    if (type === "gap") updatedMembers.clear();
    else if ((type === "profile.changed" || type === "profile.created") && "name" in data) update(data.userId, data);
    updates.notify();
  });
  return null;
}

function update(userId: string, { name, profileImage }: UpdatedMember): void {
  updatedMembers.delete(userId);
  updatedMembers.set(userId, { name, profileImage });
  const oldest = updatedMembers.keys().next();
  if (updatedMembers.size > maxLiveProfiles && !oldest.done) updatedMembers.delete(oldest.value);
}

/** The member with the current name and picture, which may be newer than the page. */
export function useLiveProfile<Member extends ShownMember>(member: Member): Member {
  const updated = useSyncExternalStore(
    updates.add,
    () => updatedMembers.get(member.id),
    () => undefined,
  );
  return updated ? { ...member, ...updated } : member;
}

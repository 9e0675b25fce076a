import { useRoot } from "#app/shell/root-data.ts";
import { forgetMembers, learnOfMember } from "./fresh-members.ts";
import { useLive } from "./use-live.ts";

/** Hears whose name or picture has changed, for every screen of a member. Shows nothing. */
export function MemberNews() {
  const { viewer } = useRoot();
  useLive(viewer ? ["profiles"] : [], ({ type, data }) => {
    if (type === "gap") return forgetMembers();
    if ((type !== "profile.changed" && type !== "profile.created") || !("name" in data)) return;
    learnOfMember(data.userId, data);
  });
  return null;
}

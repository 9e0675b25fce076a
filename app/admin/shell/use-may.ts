import { useRoot } from "#app/shell/root-data.ts";
import { type Action, mayOnStaff } from "#domain/permissions.ts";

/** What the screens of the admin area offer to whom: the server refuses the rest. */
export function useMay(): (action: Action, ownerId?: string) => boolean {
  const { viewer } = useRoot();
  return (action, ownerId) => mayOnStaff(viewer && viewer.id === ownerId ? "owner" : viewer?.staff, action);
}

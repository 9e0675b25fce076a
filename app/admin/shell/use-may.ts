import { useRoot } from "#app/shell/root-data.ts";
import { type Action, mayOnStaff } from "#domain/permissions.ts";

/** Hides what the viewer may not do. The server enforces the same permissions. */
export function useMay(): (action: Action, ownerId?: string) => boolean {
  const { viewer } = useRoot();
  return (action, ownerId) => mayOnStaff(viewer && viewer.id === ownerId ? "owner" : viewer?.staff, action);
}

import { useRoot } from "#app/shell/root-data.ts";
import { type Action, isRoleAllowed } from "#domain/permissions.ts";

/** Hides what the viewer may not do. The server enforces the same permissions. */
export function useMay(): (action: Action, ownerId?: string) => boolean {
  const { viewer } = useRoot();
  return (action, ownerId) => isRoleAllowed(viewer && viewer.id === ownerId ? "owner" : viewer?.staff, action);
}

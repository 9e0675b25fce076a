import type { Viewer } from "#domain/site.ts";
import { ApiError } from "./errors.ts";
import { invalidParam } from "./params.ts";

const shape = /^(read|create|update|delete|write)\("([^"]{1,100})"\)$/;

/**
 * Checks the permissions that a client requests for its document. Only `read("any")` has an effect, on files: otherwise the site's own
 * rules apply, and the response shows the result. @throws ApiError for an invalid one, or for a role that the caller doesn't have.
 */
export function checkPermissions(viewer: Viewer, permissions: string[] = []): { isPublic: boolean } {
  const held = rolesOf(viewer);
  let isPublic = false;
  for (const permission of permissions) {
    const [, action, role = ""] = shape.exec(permission) ?? [];
    if (!action) throw invalidParam("permissions", `Permission "${permission.slice(0, 100)}" is not valid.`);
    if (action === "create")
      throw invalidParam("permissions", `Permission "${permission}" is not allowed. Must be one of: read, update, delete, write.`);
    if (!held.includes(role)) throw new ApiError("user_unauthorized", `Permissions must be one of: (${held.join(", ")})`);
    if (action === "read" && role === "any") isPublic = true;
  }
  return { isPublic };
}

function rolesOf(viewer: Viewer): string[] {
  if (!viewer) return ["any", "guests"];
  const verified = viewer.isEmailConfirmed ? "verified" : "unverified";
  return ["any", "users", `user:${viewer.id}`, `user:${viewer.id}/${verified}`, `users/${verified}`];
}

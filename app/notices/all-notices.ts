import { redirect } from "react-router";
import { viewerContext } from "#app/context.ts";
import { requirePermission } from "#domain/permissions.ts";
import type { Route } from "./+types/all-notices.ts";

export function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  requirePermission(viewer, "read a decision", viewer?.id);
  return redirect("/notifications");
}

import { may } from "../permissions.ts";
import type { Member, Site, Viewer } from "../site.ts";
import { findAdministrators } from "./staff.server.ts";

/** Whether others decided it about the viewer. */
export function isAboutViewer(viewer: Viewer, of: { memberId: string | null; moderatorId: string | null }): boolean {
  const isOwn = of.memberId !== null && of.memberId === viewer?.id && of.moderatorId !== of.memberId;
  return isOwn && !may(viewer, "undo a decision", of.memberId ?? "");
}

/** Adds which rows only other staff may decide. `isOwn`: it concerns the viewer. The only administrator may decide these, too. */
export async function markOwnCases<Row>(
  site: Pick<Site, "db" | "adminEmails">,
  viewer: Member,
  rows: Row[],
  isOwn: (row: Row) => boolean,
): Promise<(Row & { isOwnCase: boolean })[]> {
  const hasOwn = rows.some(isOwn) && !(await isOnlyAdministrator(site, viewer));
  return rows.map((row) => ({ ...row, isOwnCase: hasOwn && isOwn(row) }));
}

async function isOnlyAdministrator(site: Pick<Site, "db" | "adminEmails">, viewer: Member): Promise<boolean> {
  if (viewer.staff !== "administrator") return false;
  return !(await findAdministrators(site).where("u.id", "<>", viewer.id).limit(1).executeTakeFirst());
}

import { readText } from "#app/admin/table/list-place.ts";

/** What the audit log is narrowed to, from a page's address; the page and the export agree on it. */
export function auditFilter(params: URLSearchParams): { action: string; subject: string } {
  return { action: readText(params, "action"), subject: readText(params, "subject") };
}

import { readText } from "#app/admin/table/list-place.ts";

export function auditFilter(params: URLSearchParams): { action: string; subject: string } {
  return { action: readText(params, "action"), subject: readText(params, "subject") };
}

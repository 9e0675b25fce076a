type Download = { name: string; type: string; headers?: Record<string, string> };

/** A private download. */
export function fileResponse(body: BodyInit, { name, type, headers }: Download): Response {
  const disposition = { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
  return new Response(body, { headers: { ...disposition, "cache-control": "private, no-store", ...headers } });
}

/** `2026-11-20`, for file names. */
export function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

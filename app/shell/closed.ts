import { isRouteErrorResponse } from "react-router";

export type ClosedSite = { code: "maintenance" | "unavailable"; message: string };

/** How an answer says it: after a form that failed, the page knows nothing else of the site. */
export type ClosedAnswer = ClosedSite & { siteName?: string; form?: PostedForm };

export type PostedForm = { action: string; fields: [name: string, value: string][]; hadFiles: boolean };

export const unavailable: ClosedSite = {
  code: "unavailable",
  message: "We’re having trouble loading data. Nothing you saved is lost.",
};

export function closedOf(error: unknown): ClosedAnswer | undefined {
  if (!isRouteErrorResponse(error) || error.status !== 503) return undefined;
  const { code, message, siteName, form } = bodyOf(error.data) as Partial<ClosedAnswer>;
  const reason = code === "maintenance" && message ? { code, message } : { ...unavailable, ...(message && { message }) };
  return { ...reason, ...(siteName && { siteName }), ...(form && { form }) };
}

const limitStatuses = [413, 429, 503];

/** What the server says when it refused because of a limit: too much, too often, or too busy. */
export function limitMessage(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error) || !limitStatuses.includes(error.status)) return undefined;
  const { message, code } = bodyOf(error.data);
  return typeof message === "string" && code !== "unavailable" && code !== "maintenance" ? message : undefined;
}

/** A refusal that came before the pages is JSON, which the router hands on as text. */
function bodyOf(given: unknown): { message?: unknown; code?: unknown } {
  try {
    return Object(typeof given === "string" ? JSON.parse(given) : given);
  } catch {
    return {};
  }
}

/**
 * Whether the application's own answer never came: the connection was cut, something in between answered for it (a proxy's
 * 502, a page instead of data), the server fell over, or it can't answer now or refused for a limit. Then the screen stays.
 */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error || limitMessage(error) !== undefined || (isRouteErrorResponse(error) && isNotOurs(error));
}

/** What the application refuses has a code and a message, or is empty. */
function isNotOurs({ status, data }: { status: number; data: unknown }): boolean {
  return status >= 500 || (typeof data === "string" && bodyOf(data).message === undefined);
}

/** What a form or a button says then, where the specification has no words of its own for it. */
export const connectionLost = "The connection was lost. Please try again.";

export type ReadForm = (request: Request) => Promise<FormData>;

/** Reads a posted form as far as it can be sent again: texts, but neither files nor passwords. */
export async function readPostedForm(request: Request, action: string, readForm: ReadForm): Promise<PostedForm | undefined> {
  const form = await readForm(request).catch(() => undefined);
  if (!form) return undefined;
  const entries = [...form.entries()];
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && !/password/i.test(entry[0]));
  return { action, fields, hadFiles: entries.some(([, value]) => value instanceof File && value.size > 0) };
}

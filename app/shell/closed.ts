import { isRouteErrorResponse } from "react-router";

export type ClosedSite = { code: "maintenance" | "unavailable"; title: string; message: string };

/**
 * With the site's name, which a page without root data can't know, and the form that was sent. `signed-out`: the site is closed to this form
 * only, because its session has ended.
 */
export type ClosedResponse = Omit<ClosedSite, "code"> & { code: ClosedSite["code"] | "signed-out"; siteName?: string; form?: PostedForm };

export type PostedForm = { action: string; fields: [name: string, value: string][]; hadFiles: boolean };

export const unavailable: ClosedSite = {
  code: "unavailable",
  title: "Back in a moment",
  message: "We’re having trouble loading data. Nothing you saved is lost.",
};

export function closedOf(error: unknown): ClosedResponse | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const response = bodyOf(error.data) as Partial<ClosedResponse>;
  return error.status === 503 || response.code === "signed-out" ? { ...unavailable, ...response } : undefined;
}

const limitStatuses = [413, 429, 503];

/** The server's message if it refused because of a limit: too large, too often, or too busy. */
export function limitMessage(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error) || !limitStatuses.includes(error.status)) return undefined;
  const { message, code } = bodyOf(error.data);
  return typeof message === "string" && code !== "unavailable" && code !== "maintenance" ? message : undefined;
}

/** Refusals sent before the router are JSON, which the router passes on as text. */
function bodyOf(given: unknown): { message?: unknown; code?: unknown } {
  try {
    return Object(typeof given === "string" ? JSON.parse(given) : given);
  } catch {
    return {};
  }
}

/**
 * Whether the application sent no answer of its own: the connection was lost, a proxy answered instead (502, or a page instead of data),
 * the server failed, is unavailable or refused because of a limit. The open screen is preserved.
 */
export function isRequestFailure(error: unknown): boolean {
  return error instanceof Error || limitMessage(error) !== undefined || (isRouteErrorResponse(error) && isNotOurs(error));
}

/** The application's refusals have a code and a message, or no body. */
function isNotOurs({ status, data }: { status: number; data: unknown }): boolean {
  return status >= 500 || (typeof data === "string" && bodyOf(data).message === undefined);
}

/** The error where the specification has none. */
export const connectionLost = "The connection was lost. Please try again.";

export type ReadForm = (request: Request) => Promise<FormData>;

/** Reads the fields that can be sent again: texts, but neither files nor passwords. */
export async function readPostedForm(request: Request, action: string, readForm: ReadForm): Promise<PostedForm | undefined> {
  const form = await readForm(request).catch(() => undefined);
  if (!form) return undefined;
  const entries = [...form.entries()];
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && !/password/i.test(entry[0]));
  return { action, fields, hadFiles: entries.some(([, value]) => value instanceof File && value.size > 0) };
}

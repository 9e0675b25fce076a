import { data, isRouteErrorResponse } from "react-router";

/** Why the site answers nobody, or not this person, at the moment: with status 503. */
export type Closed = { code: "maintenance" | "unavailable"; message: string };

/** How an answer says it: after a form that failed, the page knows nothing else of the site. */
export type ClosedAnswer = Closed & { siteName?: string; form?: TypedForm };

/** What was typed into a form that could not be taken in, to be sent again. */
export type TypedForm = { action: string; fields: [name: string, value: string][]; hadFiles: boolean };

export const unavailable: Closed = {
  code: "unavailable",
  message: "The site can’t get at its data at the moment. Nothing that was saved is lost.",
};

/** The reason in an answer of status 503. */
export function closedOf(error: unknown): ClosedAnswer | undefined {
  if (!isRouteErrorResponse(error) || error.status !== 503) return undefined;
  const { code, message, siteName, form } = (error.data ?? {}) as Partial<ClosedAnswer>;
  const reason = code === "maintenance" && message ? { code, message } : { ...unavailable, ...(message && { message }) };
  return { ...reason, ...(siteName && { siteName }), ...(form && { form }) };
}

/**
 * For a `clientAction`: whether the answer never came, or was that the site can't answer at the moment. Then what was
 * typed must stay, and so must the page: answer `data(…, { status: 503 })`.
 */
export function isLost(error: unknown): boolean {
  return error instanceof Error || closedOf(error) !== undefined;
}

/** What a form or a button says then, where the specification has no words of its own for it. */
export const connectionLost = "The connection was lost. Please try again.";

/** A `clientAction` as it should be: `answer` is what the page shows when the server's own never came. */
export async function orLost<Given, Lost>(send: () => Promise<Given>, answer: Lost) {
  try {
    return await send();
  } catch (error) {
    if (!isLost(error)) throw error;
    // With a success the page's data would be loaded anew, over the same lost connection.
    return data(answer, { status: 503 });
  }
}

/** Reads a posted form as far as it can be sent again: texts, but neither files nor passwords. */
export async function typedForm(request: Request, action: string): Promise<TypedForm | undefined> {
  const form = await request.formData().catch(() => undefined);
  if (!form) return undefined;
  const entries = [...form.entries()];
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && !/password/i.test(entry[0]));
  return { action, fields, hadFiles: entries.some(([, value]) => value instanceof File && value.size > 0) };
}

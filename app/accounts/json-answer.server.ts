import { refusalOf } from "#app/shell/refusals.ts";
import { retryAfterOf, statusOf } from "#domain/refusals.ts";
import { withCookies } from "./cookies.ts";

type Answer = { body: unknown; cookies?: string[] };

/** For handlers that scripts of a page speak to: JSON, also for what is refused. */
export async function jsonAnswer(work: () => Promise<Answer>): Promise<Response> {
  try {
    const { body, cookies = [] } = await work();
    return Response.json(body, { headers: withCookies(cookies) });
  } catch (error) {
    const refusal = refusalOf(error);
    const { message, field } = refusal;
    return Response.json({ message, field }, { status: statusOf(refusal), headers: retryAfterOf(refusal) });
  }
}

/** What a browser made, as it was sent; null for what is no JSON. */
export function madeByBrowser(form: FormData): unknown {
  try {
    return JSON.parse(String(form.get("response")));
  } catch {
    return null;
  }
}

import { refusalOf } from "#app/shell/refusals.ts";
import { retryAfterOf, statusOf } from "#domain/refusals.ts";

/** Answers a page's scripts with JSON: the result, or a refusal's code, message and field with its status. */
export async function respondWithJson(work: (headers: Headers) => Promise<unknown>): Promise<Response> {
  const headers = new Headers({ "cache-control": "no-store" });
  try {
    return Response.json((await work(headers)) ?? {}, { headers });
  } catch (error) {
    const refusal = refusalOf(error);
    const { code, message, field } = refusal;
    const refused = { "cache-control": "no-store", ...retryAfterOf(refusal) };
    return Response.json({ code, message, field }, { status: statusOf(refusal), headers: refused });
  }
}

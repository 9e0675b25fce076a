import { isRefusal, retryAfterOf, statusOf } from "#domain/refusals.ts";

/** What scripts are answered: JSON, and a refusal as its code and message under its status. */
export async function answerJson(work: () => Promise<unknown>): Promise<Response> {
  const headers = { "cache-control": "no-store" };
  try {
    return Response.json((await work()) ?? {}, { headers });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return Response.json(
      { code: error.code, message: error.message },
      { status: statusOf(error), headers: { ...headers, ...retryAfterOf(error) } },
    );
  }
}

import { redirect } from "react-router";
import { describe, expect, test } from "vitest";
import { connectionLost } from "./closed.ts";
import { orNetworkFailure } from "./or-network-failure.ts";

const lost = { failed: connectionLost };
const fail = (error: unknown) => orNetworkFailure(() => Promise.reject(error), lost);

describe("an action whose answer never came", () => {
  test("comes to the page's own, with the status that loads nothing anew", async () => {
    expect(await fail(new TypeError("Failed to fetch"))).toMatchObject({ data: lost, init: { status: 503 } });
  });

  test("so does that of a site which can't answer at the moment", async () => {
    const closed = { status: 503, statusText: "Service Unavailable", internal: false, data: { code: "unavailable" } };
    expect(await fail(closed)).toMatchObject({ data: lost });
  });

  test("whatever else is thrown flies on", async () => {
    const away = redirect("/admin/posts");
    await expect(fail(away)).rejects.toBe(away);
  });

  test("an answer that came is the answer", async () => {
    expect(await orNetworkFailure(async () => "done", lost)).toBe("done");
  });
});

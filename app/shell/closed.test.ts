import { redirect } from "react-router";
import { describe, expect, test } from "vitest";
import { catchRequestFailure } from "./catch-request-failure.ts";
import { connectionLost } from "./closed.ts";

const lost = { failed: connectionLost };
const fail = (error: unknown) => catchRequestFailure(() => Promise.reject(error), lost);

describe("an action after a request failure", () => {
  test("returns the fallback, with a status that prevents a reload", async () => {
    expect(await fail(new TypeError("Failed to fetch"))).toMatchObject({ data: lost, init: { status: 503 } });
  });

  test("returns the fallback while the site is unavailable", async () => {
    const closed = { status: 503, statusText: "Service Unavailable", internal: false, data: { code: "unavailable" } };
    expect(await fail(closed)).toMatchObject({ data: lost });
  });

  test("rethrows everything else", async () => {
    const away = redirect("/admin/posts");
    await expect(fail(away)).rejects.toBe(away);
  });

  test("returns the server's answer otherwise", async () => {
    expect(await catchRequestFailure(async () => "done", lost)).toBe("done");
  });
});

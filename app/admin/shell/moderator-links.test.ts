import { expect, test } from "vitest";
import { appeal } from "#domain/moderation/appeals.server.ts";
import { findPostNotice } from "#domain/moderation/notices.server.ts";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { openWeb } from "../../../tests/support/web.ts";
import { addMember, openWorld, signIn } from "../../../tests/support/world.ts";

test("no link that moderators see is refused", async () => {
  const world = await openWorld();
  const { site, maren, tobias, ruth } = world;
  for (const id of ["tide", "moor", "reed", "fen", "draft"])
    await addPost(world, maren, { id, status: id === "draft" ? "inactive" : "active" });
  await holdPost(site, ruth, "moor", { reason: "why" });
  await report(site, tobias, { kind: "post", subjectId: "tide", reason: "spam", note: "" });
  await report(site, tobias, { kind: "post", subjectId: "reed", reason: "spam", note: "" });
  await setPostStatus(site, maren, "reed", "inactive");
  await setPostStatus(site, ruth, "fen", "inactive", { reason: "why" });
  await appeal(site, maren, (await findPostNotice(site, "fen"))?.id ?? "", "It was fine.");
  const moderator = await addMember(world, "Mona Moderates", { staff: "moderator" });
  const { cookie } = await signIn(world, moderator, { reauthenticated: true });
  const web = openWeb(world);
  const refused: string[] = [];
  const paths = new Set(["/admin"]);
  for (const path of paths) {
    const response = await web.request(path, { headers: { cookie } });
    const html = await response.text();
    if (response.status >= 400) refused.push(path);
    if (!path.startsWith("/admin")) continue;
    for (const [, href = ""] of html.matchAll(/href="(\/(?:admin|post|edit-post|profile)\b[^"#]*)/g))
      paths.add(href.replaceAll("&amp;", "&"));
  }
  expect(refused).toEqual([]);
  expect(paths).not.toContain("/post/reed");
  expect([...paths]).toEqual(
    expect.arrayContaining(["/admin/posts", "/admin/posts/moor", "/admin/reports", "/admin/files", "/post/tide", "/post/fen"]),
  );
  await world.close();
});

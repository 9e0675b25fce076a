import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { report } from "#domain/reports/reports.server.ts";
import { type Member, memberWithoutSession, type Site } from "#domain/site.ts";
import { newId } from "#platform/ids.ts";
import { withSite } from "../bench/sites.ts";
import { seedDemo } from "../scripts/demo/seed.ts";
import { signIns } from "../scripts/demo/sign-ins.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { addPost } from "../tests/support/posts.ts";
import { type RunningServer, startServer } from "../tests/support/process.ts";
import type { Ids, Viewer } from "./screens.ts";

export type GallerySite = { server: RunningServer; cookies: Partial<Record<Viewer, string>>; ids: Ids };

const longWord = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle";
const longTitle = `${longWord}: ${"a title that goes on until the field takes no more of it ".repeat(3)}`.slice(0, 200);

/** The sample community with a pending report, and a story and a member with the longest possible titles. */
export async function openFullSite(seed = seedDemo): Promise<GallerySite> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-gallery-"));
  const dataDir = join(folder, "data");
  await seed({ DATA_DIR: dataDir, SITE_URL: "http://localhost:1" });
  const server = await startServer({ DATA_DIR: dataDir, LOG_LEVEL: "error" });
  const close = server.close;
  server.close = async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  };
  return withSite(server.environment, async (site) => {
    const [reader, writer, administrator] = await Promise.all(signIns.map(({ email }) => findMember(site, email)));
    if (!reader || !writer || !administrator) throw new Error("The sample community is not complete.");
    const post = await site.db
      .selectFrom("posts")
      .select(["id"])
      .where("userId", "=", writer.id)
      .where("status", "=", "active")
      .orderBy("createdAt", "desc")
      .executeTakeFirstOrThrow();
    const long = await addMember({ site }, `Maximiliane ${longWord}`.slice(0, 60), { email: "long@example.com" });
    await addPost({ site }, long, { id: newId(site.now()), title: longTitle, plainText: `${longWord} `.repeat(40) });
    await report(site, reader, { kind: "post", subjectId: post.id, reason: "copyright", note: "Compare the second page with mine." });
    const pending = await site.db.selectFrom("reports").select("id").where("status", "=", "pending").executeTakeFirstOrThrow();
    const ids: Ids = { slug: post.id, postId: post.id, memberId: writer.id, partnerId: writer.id, reportId: pending.id };
    return { server, ids, cookies: await signInAll(site, { reader, writer, administrator }) };
  });
}

export async function openEmptySite(): Promise<GallerySite> {
  const server = await startServer({ LOG_LEVEL: "error" });
  return withSite(server.environment, async (site) => {
    const reader = await addMember({ site }, "Nora Newman");
    const administrator = await addMember({ site }, "Ada Admin", { staff: "administrator" });
    const nothing: Ids = { slug: "", postId: "", memberId: reader.id, partnerId: "", reportId: "" };
    return { server, ids: nothing, cookies: await signInAll(site, { reader, writer: reader, administrator }) };
  });
}

async function findMember(site: Site, email: string): Promise<Member> {
  const member = await site.db.selectFrom("users").select(["id", "name", "email"]).where("email", "=", email).executeTakeFirstOrThrow();
  return memberWithoutSession({ ...member, isReauthenticated: true });
}

async function signInAll(site: Site, people: Record<string, Member>): Promise<Record<string, string>> {
  const cookies: Record<string, string> = {};
  for (const [viewer, person] of Object.entries(people))
    cookies[viewer] = (await signIn({ site }, person, { reauthenticated: true })).cookie;
  return cookies;
}

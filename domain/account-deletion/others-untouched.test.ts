import { afterEach, beforeEach, expect, test } from "vitest";
import { withUserId } from "#domain/accounts/sign-in/auth.server.ts";
import { createMemberWithData, origin } from "../../tests/support/member-with-data.ts";
import { picture } from "../../tests/support/pictures.ts";
import { everyRow } from "../../tests/support/rows.ts";
import { addMember, openWorld, password, type World } from "../../tests/support/world.ts";
import { signUp } from "../accounts/accounts.server.ts";
import { requestRecovery } from "../accounts/recovery.server.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { confirmSubscription, subscribe } from "../newsletter/subscribers.server.ts";
import { createPost } from "../posts/posts.server.ts";
import { transaction } from "../site.ts";
import { deleteAccount } from "./delete-account.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** An account with an id that today's rules would reject. */
async function signUpAs(id: string, email: string) {
  const [maren] = await world.site.db
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", world.maren.id)
    .where("providerId", "=", "credential")
    .execute();
  const member = await addMember(world, "Nobody Special", { id, email, isEmailConfirmed: false });
  await world.site.db.updateTable("users").set({ emailVerified: false }).where("id", "=", id).execute();
  const date = new Date(world.site.now()).toISOString();
  await world.site.db
    .withTables<{ accounts: Record<string, unknown> }>()
    .insertInto("accounts")
    .values({
      id: `account-${id}`,
      userId: id,
      accountId: id,
      providerId: "credential",
      password: maren?.password,
      createdAt: date,
      updatedAt: date,
    })
    .execute();
  return member;
}

/** Removed and added rows by table. */
function differences(before: Map<string, string[]>, after: Map<string, string[]>) {
  const found: Record<string, { gone: string[]; added: string[] }> = {};
  for (const [table, rows] of before) {
    // Sums over several rows, of which any may be counted up and any other down; and an index in pieces.
    if (table.endsWith("counters") || table.startsWith("member_search")) continue;
    const now = after.get(table) ?? [];
    const gone = rows.filter((row) => !now.includes(row));
    const added = now.filter((row) => !rows.includes(row));
    if (gone.length + added.length > 0) found[table] = { gone, added };
  }
  return found;
}

test.each(["a", "posts", "the-night-bus-window"])("deleting the account %s leaves all other rows unchanged", async (id) => {
  const { site, tobias, ruth } = world;
  await createMemberWithData(world);
  const john = await addMember(world, "John", { email: "john@ex.org" });
  await subscribe(site, origin, john.email);
  await requestRecovery(site, origin, john.email);
  const text = { title: "A", slug: "the-night-bus-window", content: "A window.", status: "active" as const };
  await createPost(site, tobias, text, await picture());
  await transaction(site, (tx) =>
    recordAudit(tx, ruth, {
      action: "post.pinned",
      subject: "post:tides",
      before: { a: "a", by: "n@ex.org" },
      after: { id: "posts", at: john.email },
    }),
  );
  await expect.poll(() => world.emails.filter(({ to }) => to === john.email).length).toBe(2);
  const before = await everyRow(site);
  const member = await signUpAs(id, "n@ex.org");
  await deleteAccount(site, member, password);
  const changed = differences(before, await everyRow(site));
  expect(Object.keys(changed).sort()).toEqual(["attempts", "deleted_accounts"]);
  expect(Object.values(changed).flatMap(({ gone }) => gone)).toEqual([]);
  // The count of password attempts, and the reserved id.
  expect(Object.values(changed).flatMap(({ added }) => added)).toHaveLength(2);
});

test("an unconfirmed address doesn't end another person's newsletter", async () => {
  const { site } = world;
  await subscribe(site, origin, "john@ex.org");
  const { searchParams } = new URL(/https?:\S+/.exec(world.emails[0]?.text ?? "")?.[0] ?? "");
  await confirmSubscription(site, { token: searchParams.get("token") ?? "", code: searchParams.get("code") ?? "" });
  await deleteAccount(site, await signUpAs("whoever-this-is", "john@ex.org"), password);
  expect(await site.db.selectFrom("subscribers").select("email").execute()).toEqual([{ email: "john@ex.org" }]);
});

test("the id of a deleted account stays reserved", async () => {
  const { site } = world;
  await deleteAccount(site, await signUpAs("called-like-this", "first@ex.org"), password);
  const ines = { name: "Ines Moreau", email: "ines@ex.org", password: "lamp 911 on a hill" };
  const again = withUserId("called-like-this", () => signUp(site, origin, ines));
  await expect(again).rejects.toMatchObject({ code: "conflict" });
  await deleteAccount(site, await signUpAs("called-like-this", "second@ex.org"), password);
  expect(await site.db.selectFrom("deleted_accounts").select("userId").execute()).toEqual([{ userId: "called-like-this" }]);
});

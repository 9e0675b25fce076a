import { expect } from "vitest";
import { signIn } from "#domain/accounts/accounts.server.ts";
import { requestRecovery } from "#domain/accounts/recovery.server.ts";
import { recordAudit } from "#domain/audit/audit.server.ts";
import { saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { storePostPicture } from "#domain/files/post-files.server.ts";
import { setFollow } from "#domain/follows/follows.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import { removeAnyFile } from "#domain/moderation/files/admin-files.server.ts";
import { curatePost } from "#domain/moderation/posts/moderation.server.ts";
import { subscribe } from "#domain/newsletter/subscribers.server.ts";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { updatePost } from "#domain/posts/update-post.server.ts";
import { countView } from "#domain/posts/views.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { type Member, transaction } from "#domain/site.ts";
import { picture } from "./pictures.ts";
import { signIn as openSession, password, type World } from "./world.ts";

/** The address of `createMemberWithData`'s member. */
export const origin = { ip: "192.0.2.7", userAgent: "Zephyrbrowser/1" };

const post = (slug: string, title: string, content: string) => ({ title, slug, content, status: "active" as const });

/** A member with data of every kind, their own and others': Maren, under a unique name and address. */
export async function createMemberWithData(world: World): Promise<Member> {
  const { maren, tobias, site } = world;
  await site.db
    .updateTable("users")
    .set({ name: "Zsófia Quillfeather", email: "quill@feather.example" })
    .where("id", "=", maren.id)
    .execute();
  const member = { ...(await openSession(world, maren)).member, name: "Zsófia Quillfeather", email: "quill@feather.example" };
  const links = { website: "quillhandle.example", twitter: "@quillhandle", github: "quillhandle", linkedIn: "quillhandle" };
  const upload = { ...(await picture("a-private-filename.png", 500, 500)) };
  await updateProfile(site, member, { userName: "Quillfeather the Wrimblethorper", bio: "", location: "", ...links }, "keep");
  await updateProfile(
    site,
    member,
    { userName: "Zsófia Quillfeather", bio: "Wrimblethorpe born", location: "Stornowayish", ...links },
    upload,
  );
  await createPost(
    site,
    member,
    post("wrimblethorpe-nights", "Wrimblethorpe Nights", "On xyloquartz."),
    await picture("a-private-filename.jpg"),
  );
  const nights = { title: "Wrimblethorpe Nights", content: "On xyloquartz.", status: "active" as const };
  await updatePost(site, member, "wrimblethorpe-nights", { ...nights, title: "Wrimblethorpean Nights" }, { version: 1 });
  await updatePost(site, member, "wrimblethorpe-nights", nights, { version: 2 });
  await createPost(site, member, post("afterwards", "Quillfeathered", "Again."), await picture());
  await deletePost(site, member, "afterwards");
  await createPost(site, tobias, post("tides", "Tides", "Of the sea."), await picture());
  await setLike(site, member, "tides", true);
  await setBookmark(site, member, "tides", true);
  await setLike(site, tobias, "wrimblethorpe-nights", true);
  await countView(site, member, origin, "tides");
  await setFollow(site, member, { userId: tobias.id, following: true });
  await setFollow(site, tobias, { userId: member.id, following: true });
  await sendMessage(site, member, { to: tobias.id, text: "Meet me at xyloquartz", sendId: "1" });
  await sendMessage(site, tobias, { to: member.id, text: "Dear Quillfeather", sendId: "2" });
  await markConversationRead(site, member, tobias.id);
  const { id: removedFile } = await storePostPicture(site, member, await picture("a-private-filename.png", 300, 200));
  await removeAnyFile(site, world.ruth, removedFile, "Not yours, Quillfeather");
  await signIn(site, origin, { email: member.email, password });
  await signIn(site, origin, { email: member.email, password: "wrong one" }).catch(() => undefined);
  await requestRecovery(site, origin, member.email);
  await subscribe(site, origin, member.email);
  await expect.poll(() => world.emails.length).toBeGreaterThan(3);
  await report(site, tobias, { kind: "post", subjectId: "wrimblethorpe-nights", reason: "spam", note: "Read it" });
  await report(site, member, { kind: "post", subjectId: "tides", reason: "other", note: "Xyloquartz? I, Quillfeather, doubt it" });
  await curatePost(site, world.ruth, "wrimblethorpe-nights", { featured: true });
  await transaction(site, (tx) =>
    recordAudit(tx, member, { action: "post.pinned", subject: `user:${member.id}`, after: { by: member.email } }),
  );
  const copy = {
    id: "0123456789abcdef01234567",
    userId: member.id,
    postId: null,
    postVersion: null,
    base: null,
    writer: "writer-1",
    count: 1,
  };
  const draft = {
    title: "Wrimblethorpe again",
    slug: "",
    slugTyped: false,
    content: "xyloquartz",
    status: "active" as const,
    featuredImage: null,
  };
  await saveWorkingCopy(site, member, { ...copy, draft });
  return member;
}

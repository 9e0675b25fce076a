import { data } from "react-router";
import type { PostField, PostRefusal } from "#app/posts/post-refusal.ts";
import type { Draft, DraftOrigin } from "#domain/drafts/draft.ts";
import type { DraftConflict } from "#domain/drafts/draft-conflict.ts";
import type { Upload } from "#domain/files/files.server.ts";
import { uploadOf } from "#domain/forms/read-form.server.ts";
import { plainLineBreaks } from "#domain/normalize-input.ts";
import type { SlugTaken } from "#domain/posts/posts.server.ts";
import { detailsOf, type Refusal, statusOf } from "#domain/refusals.ts";
import { refusal } from "./send-post.ts";

/** A posted form of a story, as far as it could be read. */
export type PostSubmission = {
  typed: Draft;
  picture: Upload | undefined;
  pictureId: string | null;
  origin: DraftOrigin | undefined;
  version: number;
};

export async function readPosted(form: FormData): Promise<PostSubmission> {
  const text = (name: string) => String(form.get(name) ?? "");
  const slug = text("slug");
  const pictureId = text("pictureId") || null;
  const typed: Draft = {
    title: text("title"),
    slug,
    slugTyped: slug !== "",
    content: plainLineBreaks(text("content")),
    status: text("status") === "inactive" ? "inactive" : "active",
    featuredImage: pictureId,
  };
  const id = text("draftId");
  const base = text("draftBase");
  const origin = id ? { id, base: base === "" ? null : Number(base), writer: text("draftWriter") || "a form without scripts" } : undefined;
  return { typed, picture: await uploadOf(form, "featuredImage"), pictureId, origin, version: Number(text("version")) };
}

export function errorsIn(submission: { reply(): { error?: Record<string, string[] | null> | null } }): PostRefusal["errors"] {
  const errors: PostRefusal["errors"] = {};
  for (const [field, messages] of Object.entries(submission.reply().error ?? {}))
    if (messages?.[0]) errors[field as PostField] = messages[0];
  return errors;
}

/** What a verb refused, as the form shows it. */
export function answerTo(verb: "create" | "update", error: Refusal, typed: Draft | null) {
  const changed = detailsOf<DraftConflict>(error, "changed-meanwhile");
  const rest = {
    freeSlug: detailsOf<SlugTaken>(error, "slug-taken")?.free,
    changed: changed ? { theirs: changed.theirs } : null,
    errors: error.field ? { [error.field]: error.message } : {},
  };
  return data(refusal(verb, error.message, { ...rest, typed }), { status: statusOf(error) });
}

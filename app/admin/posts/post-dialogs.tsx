import { useState } from "react";
import { ModerationDialog } from "#app/admin/moderation/moderation-dialog.tsx";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { fullCount, pluralize } from "#domain/format.ts";
import { type AdminPost, adjustProblem } from "#domain/moderation/posts/moderation.ts";
import { deletedHint, moderationToasts, releaseQuestion } from "./post-moderation.ts";

export type PostQuestion = { kind: "likes" | "views" | "unpublish" | "release" | "hold" | "delete" | "erase"; post: AdminPost };

type PostDialogProps = PostQuestion & { onClose: () => void };

export function PostDialog({ kind, post, onClose }: PostDialogProps) {
  const shared = { action: "/admin/posts", fields: { ids: post.id, do: kind }, onClose };
  const about = `“${post.title}” by ${post.userName}`;
  switch (kind) {
    case "likes":
      return (
        <ModerationDialog
          {...shared}
          title="Adjust Likes"
          text={likesText(post)}
          label="Adjust Likes"
          check={(form) => adjustProblem(String(form.get("by")))}
        >
          {(error) => (
            <Field label="Add or remove" hint="Use a negative number to remove likes: adjusted ones first, then the newest." error={error}>
              <TextInput name="by" inputMode="numeric" autoComplete="off" placeholder="25 or -25" autoFocus />
            </Field>
          )}
        </ModerationDialog>
      );
    case "views":
      return <ViewsDialog kind={kind} post={post} onClose={onClose} />;
    case "erase":
      return (
        <ModerationDialog
          {...shared}
          title={moderationToasts.deleteQuestion}
          text={`${about}, with its likes, bookmarks and pictures. This can’t be undone.`}
          label="Delete permanently"
          danger
        />
      );
    case "release":
      return <ModerationDialog {...shared} {...releaseQuestion(post)} fields={{ ids: post.id, do: "publish", release: post.id }} />;
    default: {
      const { text, ...question } = reasonQuestions[kind];
      return (
        <ModerationDialog {...shared} {...question} text={`${about}. ${text}`}>
          {(error) => <ReasonField error={error} required autoFocus />}
        </ModerationDialog>
      );
    }
  }
}

function likesText({ title, likesCount, adjustedLikes }: AdminPost): string {
  return `“${title}” has ${pluralize(likesCount, "like", "likes", fullCount)}${adjustedLikes > 0 ? `, ${adjustedLikes} of them adjusted` : ""}.`;
}

function ViewsDialog({ kind, post, onClose }: PostDialogProps) {
  const [views, setViews] = useState(String(post.views));
  return (
    <ModerationDialog
      title="Edit Views"
      text={`“${post.title}” has ${pluralize(post.views, "view", "views", fullCount)}.`}
      label="Update Views"
      disabled={!/^\s*\d{1,10}\s*$/.test(views)}
      action="/admin/posts"
      fields={{ ids: post.id, do: kind }}
      onClose={onClose}
    >
      {(error) => (
        <Field label="Views" error={error}>
          <TextInput
            name="views"
            inputMode="numeric"
            autoComplete="off"
            value={views}
            onChange={(event) => setViews(event.target.value)}
            autoFocus
          />
        </Field>
      )}
    </ModerationDialog>
  );
}

const reasonQuestions = {
  unpublish: {
    title: "Unpublish this story?",
    text: "It goes back to the author’s drafts. They can publish it again.",
    label: "Unpublish",
  },
  hold: {
    title: "Hold this story?",
    text: "Hidden until you decide. The author can edit it, but not publish it.",
    label: "Hold",
  },
  delete: {
    title: moderationToasts.deleteQuestion,
    text: `It’s hidden now and permanently deleted after 30 days. ${deletedHint}`,
    label: "Delete",
    danger: true,
  },
};

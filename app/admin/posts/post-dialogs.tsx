import { type FormEvent, useState } from "react";
import { ReasonDialog } from "#app/admin/moderation/reason-dialog.tsx";
import type { Moderate } from "#app/admin/moderation/use-moderation.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialogs/dialog.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { DialogActions } from "#app/ui/panels/dialog-parts.tsx";
import { type AdminPost, adjustProblem } from "#domain/moderation/posts/moderation.ts";
import { deletedHint, moderationToasts, releaseQuestion } from "./post-moderation.ts";

export type PostQuestion = { kind: "likes" | "views" | "unpublish" | "release" | "hold" | "delete" | "erase"; post: AdminPost };

type DialogsProps = { question: PostQuestion | null; onClose: () => void; moderate: Moderate };

export function PostDialogs({ question, onClose, moderate }: DialogsProps) {
  if (!question) return null;
  const { kind, post } = question;
  const send = (fields: Record<string, string>) => {
    void moderate({ do: kind === "release" ? "publish" : kind, ids: post.id, ...fields });
    onClose();
  };
  const props = { post, onClose, send };
  if (kind === "likes") return <AdjustLikes {...props} />;
  if (kind === "views") return <EditViews {...props} />;
  if (kind === "erase") return <Erase {...props} />;
  if (kind === "release") return <Release {...props} />;
  const { text, ...asked } = reasonTexts[kind];
  return (
    <ReasonDialog
      {...asked}
      text={`“${post.title}” by ${post.userName}. ${text}`}
      danger={kind === "delete"}
      action="/admin/posts"
      fields={{ ids: post.id, do: kind }}
      onClose={onClose}
    />
  );
}

type AskProps = { post: AdminPost; onClose: () => void; send: (fields: Record<string, string>) => void };

const closing = (onClose: () => void) => (open: boolean) => {
  if (!open) onClose();
};

function AdjustLikes({ post, onClose, send }: AskProps) {
  const [error, setError] = useState<string | undefined>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const by = String(new FormData(event.currentTarget).get("by") ?? "");
    const problem = adjustProblem(by);
    if (problem) setError(problem);
    else send({ by });
  };
  const adjusted = post.adjustedLikes > 0 ? `, ${post.adjustedLikes} of them adjusted` : "";
  return (
    <Dialog open title="Adjust Likes" text={`“${post.title}” has ${post.likesCount} likes${adjusted}.`} onOpenChange={closing(onClose)}>
      <form onSubmit={submit} noValidate className="mt-5">
        <Field label="Add or remove" hint="Use a negative number to remove likes: adjusted ones first, then the newest." error={error}>
          <TextInput name="by" inputMode="numeric" autoComplete="off" placeholder="25 or -25" autoFocus />
        </Field>
        <DialogActions>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary">
            Adjust Likes
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function EditViews({ post, onClose, send }: AskProps) {
  const [views, setViews] = useState(String(post.views));
  const usable = /^\d{1,10}$/.test(views.trim());
  return (
    <Dialog open title="Edit Views" text={`“${post.title}” has ${post.views} views.`} onOpenChange={closing(onClose)}>
      <form
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (usable) send({ views: views.trim() });
        }}
      >
        <Field label="Views">
          <TextInput
            name="views"
            inputMode="numeric"
            autoComplete="off"
            value={views}
            onChange={(event) => setViews(event.target.value)}
            autoFocus
          />
        </Field>
        <DialogActions>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" disabled={!usable}>
            Update Views
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Erase({ post, onClose, send }: AskProps) {
  return (
    <Dialog
      open
      title={moderationToasts.deleteQuestion}
      text={`“${post.title}” by ${post.userName}, with its likes, bookmarks and pictures. This can’t be undone.`}
      onOpenChange={closing(onClose)}
    >
      <DialogActions>
        <DialogClose>
          <Button autoFocus>Cancel</Button>
        </DialogClose>
        <Button variant="danger-fill" onClick={() => send({})}>
          Delete permanently
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Release({ post, onClose, send }: AskProps) {
  const { title, text, confirm } = releaseQuestion(post);
  return (
    <Dialog open title={title} text={text} onOpenChange={closing(onClose)}>
      <DialogActions>
        <DialogClose>
          <Button autoFocus>Cancel</Button>
        </DialogClose>
        <Button variant="primary" onClick={() => send({ release: post.id })}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const reasonTexts = {
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
    text: `Not yet: it’s hidden right away and permanently deleted after 30 days. ${deletedHint}`,
    label: "Delete",
  },
};

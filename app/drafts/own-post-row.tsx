import type { ReactNode } from "react";
import { PostTitle, postExcerpt, postPath } from "#app/posts/lists/post-card.tsx";
import { deleteQuestions, publishQuestion } from "#app/posts/questions.ts";
import { StatusBadge } from "#app/posts/status-badge.tsx";
import { ButtonLink, type ButtonProps } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { Eye, Heart, Info, Pencil, Send, Trash2 } from "#app/ui/icons.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { shortDate } from "#domain/dates.ts";
import { draftTexts } from "#domain/drafts/draft.ts";
import { excerptLengths, shortCount } from "#domain/format.ts";
import type { OwnPost as Post } from "#domain/posts/post.ts";

type RowProps = {
  picture: string | null;
  badge: ReactNode;
  created: number;
  updated: number;
  title: ReactNode;
  text: string;
  children: ReactNode;
};

export function OwnRow({ picture, badge, created, updated, title, text, children }: RowProps) {
  return (
    <article className="grid items-start gap-4 border-b border-line py-6 sm:grid-cols-[176px_minmax(0,1fr)] sm:gap-6">
      <Picture file={picture} sizes="176px" className="rounded-md max-sm:hidden" />
      <div className="min-w-0">
        <div className="num flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
          {badge}
          <span>Created {shortDate(created)}</span>
          <span>Updated {shortDate(updated)}</span>
        </div>
        <h3 dir="auto" className="display mt-2 text-t2">
          {title}
        </h3>
        <p dir="auto" className="mt-1.5 line-clamp-3 max-w-[46rem] text-pretty font-reading text-base leading-[1.6] text-ink-2">
          {text}
        </p>
        <div className="mt-3 -ml-2.5 flex flex-wrap items-center gap-x-1 gap-y-2">{children}</div>
      </div>
    </article>
  );
}

const rowAction = "lg:h-9! px-2.5!";
export const rowButton: Pick<ButtonProps, "variant" | "size" | "className"> = { variant: "ghost", size: "sm", className: rowAction };
export const rowDanger: Pick<ButtonProps, "variant" | "size" | "className"> = {
  variant: "ghost",
  size: "sm",
  className: `${rowAction} text-danger! hover:bg-danger-soft!`,
};

export function OwnPost({ post, tab }: { post: Post; tab: "posts" | "drafts" }) {
  const named = (verb: string) => `${verb}: ${post.title || "Untitled Post"}`;
  return (
    <OwnRow
      picture={post.featuredImage}
      badge={<StatusBadge post={post} />}
      created={post.createdAt}
      updated={post.updatedAt}
      title={<PostTitle post={post} />}
      text={postExcerpt(post, excerptLengths.own)}
    >
      {tab === "posts" && (
        <span className="num inline-flex h-9 items-center gap-1.5 px-2.5 text-sm text-ink-2">
          <Heart aria-hidden className="size-4" />
          {shortCount(post.likesCount)} {post.likesCount === 1 ? "like" : "likes"}
        </span>
      )}
      <ButtonLink to={postPath(post)} {...rowButton} icon={Eye} aria-label={named("Preview")}>
        Preview
      </ButtonLink>
      <ButtonLink to={`/edit-post/${post.id}`} {...rowButton} icon={Pencil} aria-label={named("Edit")}>
        Edit
      </ButtonLink>
      {post.held && (
        <ButtonLink to="/notifications?kind=decision" {...rowButton} icon={Info} aria-label={named("Read why")}>
          Read why
        </ButtonLink>
      )}
      {tab === "drafts" && !post.held && (
        <ConfirmFormDialog
          button={{ ...rowButton, icon: Send, "aria-label": named("Publish"), children: "Publish" }}
          {...publishQuestion}
          action={`/post/${post.id}/publish`}
          failed={draftTexts.publishFailed}
        />
      )}
      <ConfirmFormDialog
        button={{ ...rowDanger, icon: Trash2, "aria-label": named(tab === "drafts" ? "Delete draft" : "Delete"), children: "Delete" }}
        {...deleteQuestions[tab]}
        action={`/post/${post.id}/delete`}
        fields={{ from: tab }}
      />
    </OwnRow>
  );
}

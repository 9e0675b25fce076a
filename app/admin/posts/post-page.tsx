import { data, Form, useNavigation } from "react-router";
import { ModerationHistory } from "#app/admin/moderation/moderation-history.tsx";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { useMay } from "#app/admin/shell/use-may.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { StatusBadge } from "#app/posts/status-badge.tsx";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, FieldError, TextInput } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { shortDate } from "#domain/dates.ts";
import { pluralize } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { listModerationActions } from "#domain/moderation/notices.server.ts";
import { findForAdmin } from "#domain/moderation/posts/admin-list.server.ts";
import { type AdminPost, actionsWithReason, type Moderation } from "#domain/moderation/posts/moderation.ts";
import { ownCaseText } from "#domain/staff/own-case-text.ts";
import type { Route } from "./+types/post-page.ts";
import { type ModerationResult, requestFailureResult } from "./post-moderation.ts";
import { runPosted } from "./posts-action.server.ts";

/** The actions of the post’s menu, also without JavaScript, and its moderation history. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const [post, moderationActions] = await Promise.all([
    findForAdmin(site, viewer, params.id),
    listModerationActions(site, viewer, `post:${params.id}`),
  ]);
  return { post, moderationActions };
}

export type PostActionResult = ModerationResult & { value?: string; what?: string };

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const site = context.get(siteContext);
  const { status, ...answer } = await runPosted(site, context.get(viewerContext), form, [params.id]);
  if (answer.tone === "error" || form.get("scripted") === "yes") {
    const value = String(form.get("reason") ?? form.get("by") ?? form.get("views") ?? "");
    return data<PostActionResult>({ ...answer, value, what: String(form.get("do")) }, { status });
  }
  throw redirectWithToast(form.get("do") === "erase" ? "/admin/posts" : `/admin/posts/${encodeURIComponent(params.id)}`, answer);
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const lost: PostActionResult = requestFailureResult(await request.clone().formData());
  return catchRequestFailure(serverAction, lost);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => pageMeta(matches, { title: loaderData?.post.title ?? "Post" });

export default function AdminPostPage({ loaderData: { post, moderationActions }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const failed = actionData?.tone === "error" ? actionData : undefined;
  const may = useMay();
  const inReason = failed !== undefined && actionsWithReason.includes(failed.what ?? "");
  return (
    <>
      <PageHead title={post.title} line={<Summary post={post} />} back={{ to: "/admin/posts", label: "Posts" }}>
        <ButtonLink to={`/post/${post.id}`}>View</ButtonLink>
        {may("edit a story", post.userId) && <ButtonLink to={`/edit-post/${post.id}`}>Edit</ButtonLink>}
      </PageHead>
      {failed && !inReason && <FieldError>{failed.text}</FieldError>}
      <div className="mt-6 grid gap-5 lg:grid-cols-2">
        <Panel className="p-4 lg:p-5">
          <h2 className="display text-t2">Moderate</h2>
          {post.held !== "delete" && (
            <Form method="post">
              <div className="mt-4">
                <ReasonField error={inReason ? failed.text : undefined} defaultValue={inReason ? failed.value : undefined} />
              </div>
              <div className="mt-4 flex flex-wrap gap-2">
                {post.status === "active" && <ActionButton action="unpublish" label="Unpublish" busy={busy} />}
                {!post.held && <ActionButton action="hold" label="Hold" busy={busy} />}
                <ActionButton action="delete" label="Delete" danger busy={busy} />
              </div>
              <p className="mt-3 text-sm text-ink-2">
                A deleted story is hidden right away and permanently deleted after 30 days. You can undo it until then.
              </p>
            </Form>
          )}
          {post.held === "delete" && may("erase a story") && (
            <details className="mt-5">
              <summary className="cursor-pointer text-base font-medium text-danger">Delete permanently</summary>
              <p className="mt-2 text-base text-ink-2">Deletes its likes, bookmarks and pictures too. This can’t be undone.</p>
              <Form method="post" className="mt-3">
                <ActionButton action="erase" label="Delete permanently now" danger busy={busy} />
              </Form>
            </details>
          )}
        </Panel>
        <Panel className="p-4 lg:p-5">
          <h2 className="display text-t2">Visibility</h2>
          <Form method="post" className="mt-4 flex flex-wrap gap-2">
            {post.held && <input type="hidden" name="release" value={post.id} />}
            {post.status === "inactive" && !post.isOwnCase && (
              <ActionButton action="publish" label={post.held ? "Release and publish" : "Publish"} busy={busy} />
            )}
            <ActionButton action={post.featured ? "unfeature" : "feature"} label={post.featured ? "Unfeature" : "Feature"} busy={busy} />
            <ActionButton action={post.pinned ? "unpin" : "pin"} label={post.pinned ? "Unpin" : "Pin"} busy={busy} />
          </Form>
          {post.isOwnCase && <p className="mt-4 text-base text-ink-2">{ownCaseText}</p>}
          {may("adjust counts") && <CountForms post={post} busy={busy} refused={failed} />}
        </Panel>
      </div>
      <ModerationHistory moderationActions={moderationActions} />
    </>
  );
}

function Summary({ post }: { post: AdminPost }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge post={post} />
      <Link to={`/admin/users/${post.userId}`} className="underline decoration-line-strong underline-offset-4">
        {post.userName}
      </Link>
      <span>{shortDate(post.date)}</span>
      <span>{pluralize(post.views, "view")}</span>
    </span>
  );
}

type ActionButtonProps = { action: Moderation; label: string; danger?: boolean; busy: boolean };

function ActionButton({ action, label, danger = false, busy }: ActionButtonProps) {
  return (
    <Button type="submit" name="do" value={action} variant={danger ? "danger" : "secondary"} aria-disabled={busy || undefined}>
      {label}
    </Button>
  );
}

function CountForms({ post, busy, refused }: { post: AdminPost; busy: boolean; refused: PostActionResult | undefined }) {
  const valueFor = (what: string) => (refused?.what === what ? refused.value : undefined);
  const button = (what: string, label: string) => (
    <Button type="submit" name="do" value={what} size="sm" aria-disabled={busy || undefined} className="mt-2 lg:h-9!">
      {label}
    </Button>
  );
  return (
    <div className="mt-5 grid gap-4 sm:grid-cols-2">
      <Form method="post">
        <Field label="Adjust Likes" hint={`${post.likesCount} now, ${post.adjustedLikes} of them adjusted`}>
          <TextInput name="by" inputMode="numeric" autoComplete="off" placeholder="25 or -25" defaultValue={valueFor("likes")} />
        </Field>
        {button("likes", "Adjust Likes")}
      </Form>
      <Form method="post">
        <Field label="Edit Views" hint={`${post.views} now`}>
          <TextInput name="views" inputMode="numeric" autoComplete="off" defaultValue={valueFor("views") ?? String(post.views)} />
        </Field>
        {button("views", "Update Views")}
      </Form>
    </div>
  );
}

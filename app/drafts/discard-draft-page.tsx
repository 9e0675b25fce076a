import { data } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { localPath } from "#app/shell/local-path.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { discardWorkingCopy } from "#domain/drafts/discard.server.ts";
import { draftTexts } from "#domain/drafts/draft.ts";
import { readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Route } from "./+types/discard-draft-page.ts";

const drafts = "/profile?tab=drafts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { title, postId } = await readWorkingCopy(context.get(siteContext), context.get(viewerContext), params.draftId);
  return { title, postId };
}

/** Without JavaScript there is no dialog, so this page asks. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const next = localPath(form.get("next"), drafts);
  if (form.get("confirmed") !== "yes") return data({ next });
  const { postId } = await discardWorkingCopy(context.get(siteContext), context.get(viewerContext), params.draftId);
  return redirectWithToast(next, { tone: "success", text: postId ? draftTexts.changesDiscarded : draftTexts.discarded });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Discard this?" });

export default function DiscardDraftPage({ loaderData, actionData }: Route.ComponentProps) {
  const next = actionData?.next ?? drafts;
  return (
    <ConfirmPage
      title="Discard this?"
      subject={loaderData.title || "Untitled Post"}
      text={loaderData.postId ? draftTexts.discardChangesQuestion : draftTexts.discardQuestion}
      cancel={next}
      confirmLabel="Discard"
      danger
      fields={{ next }}
    />
  );
}

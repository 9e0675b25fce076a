import { requireMember, siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { draftTexts } from "#domain/drafts/draft.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { restoreVersion } from "#domain/posts/restore-version.server.ts";
import type { Route } from "./+types/history-page.ts";
import { HistoryScreen } from "./history.tsx";
import { loadHistory, requestedVersion } from "./load-history.server.ts";

function historyIn(params: Route.LoaderArgs["params"]) {
  if (params.draftId !== undefined) {
    const { draftId } = params;
    return { of: { copyId: draftId }, id: draftId, editor: "/add-post?draft=", restored: draftTexts.restoredDraft };
  }
  return { of: { postId: params.id }, id: params.id, editor: "/edit-post/", restored: draftTexts.restored };
}

export async function loader({ params, url, context }: Route.LoaderArgs) {
  return loadHistory(context.get(siteContext), requireMember(context), historyIn(params).of, requestedVersion(url.searchParams));
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { of, id, editor, restored } = historyIn(params);
  const form = await readForm(request);
  await restoreVersion(context.get(siteContext), context.get(viewerContext), of, String(form.get("version") ?? ""));
  return redirectWithToast(`${editor}${encodeURIComponent(id)}`, { tone: "success", text: restored });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "History" });

export default function HistoryPage({ loaderData, params }: Route.ComponentProps) {
  const { id, editor } = historyIn(params);
  return <HistoryScreen shown={loaderData} back={`${editor}${id}`} />;
}

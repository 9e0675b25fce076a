import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { draftTexts } from "#domain/drafts/draft.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { restoreVersion } from "#domain/posts/restore-version.server.ts";
import { SignInFirst } from "#domain/refusals.ts";
import type { Route } from "./+types/draft-history-page.ts";
import { HistoryScreen } from "./history.tsx";
import { askedVersion, loadHistory } from "./load-history.server.ts";

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new SignInFirst();
  return loadHistory(context.get(siteContext), viewer, { copyId: params.draftId }, askedVersion(url.searchParams));
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const version = String(form.get("version") ?? "");
  await restoreVersion(context.get(siteContext), context.get(viewerContext), { copyId: params.draftId }, version);
  return redirectWithToast(`/add-post?draft=${encodeURIComponent(params.draftId)}`, { tone: "success", text: draftTexts.restoredDraft });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "History" });

export default function DraftHistoryPage({ loaderData, params }: Route.ComponentProps) {
  return <HistoryScreen shown={loaderData} back={`/add-post?draft=${params.draftId}`} />;
}

import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { draftTexts } from "#domain/drafts/draft.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { restoreVersion } from "#domain/posts/restore-version.server.ts";
import { SignInFirst } from "#domain/refusals.ts";
import type { Route } from "./+types/post-history-page.ts";
import { HistoryScreen } from "./history.tsx";
import { askedVersion, loadHistory } from "./load-history.server.ts";

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new SignInFirst();
  return loadHistory(context.get(siteContext), viewer, { postId: params.id }, askedVersion(url.searchParams));
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  await restoreVersion(context.get(siteContext), context.get(viewerContext), { postId: params.id }, String(form.get("version") ?? ""));
  return redirectWithToast(`/edit-post/${encodeURIComponent(params.id)}`, { tone: "success", text: draftTexts.restored });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "History" });

export default function PostHistoryPage({ loaderData, params }: Route.ComponentProps) {
  return <HistoryScreen shown={loaderData} back={`/edit-post/${params.id}`} />;
}

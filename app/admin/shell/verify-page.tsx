import { redirect } from "react-router";
import { viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { localPath } from "#app/shell/local-path.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import type { Route } from "./+types/verify-page.ts";
import { Challenge } from "./challenge.tsx";

/** Asks for the password before the page named by `then`. */
export function loader({ url, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (viewer?.isReauthenticated) throw redirectOnward(url);
  return { passkey: viewer?.hasPasskey ?? false };
}

export function action({ url, context }: Route.ActionArgs) {
  throw context.get(viewerContext)?.isReauthenticated ? redirectOnward(url) : redirect(url.pathname + url.search);
}

const downloads = /^\/(?:admin\/database\/backups|files)\//;

/** A download doesn’t navigate, so it starts from the page that offers it. */
function redirectOnward(url: URL): Response {
  const then = localPath(url.searchParams.get("then"), "/admin");
  if (!downloads.test(then)) return redirect(then);
  const back = then.startsWith("/files/") ? "/admin/messages" : "/admin/database";
  return redirectWithToast(back, { tone: "success", text: "Confirmed. You can start your download now." });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Confirm it’s you" });

export default function VerifyPage({ loaderData }: Route.ComponentProps) {
  return <Challenge {...loaderData} />;
}

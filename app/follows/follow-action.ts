import { data, redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { refererPath } from "#app/shell/local-path.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { setFollow } from "#domain/follows/follows.server.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/follow-action.ts";

export type FollowResponse = { failed?: string };

export async function action({ request, params: { userId }, context }: Route.ActionArgs) {
  const site = context.get(siteContext);
  const form = await readForm(request);
  const scripted = form.get("scripted") === "yes";
  const back = refererPath(request, site.url, `/profile/${encodeURIComponent(userId)}`);
  try {
    await setFollow(site, context.get(viewerContext), { userId, following: form.get("following") === "yes" });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.code === "sign-in-required") throw error;
    if (scripted) return data<FollowResponse>({ failed: refusal.message }, { status: statusOf(refusal) });
    return redirectWithToast(back, { tone: "error", text: refusal.message });
  }
  return scripted ? data<FollowResponse>({}) : redirect(back);
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { failed: connectionLost } satisfies FollowResponse);

export const loader = ({ params }: Route.LoaderArgs) => redirect(`/profile/${encodeURIComponent(params.userId)}`);

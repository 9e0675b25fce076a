import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { useLive } from "#app/live/use-live.ts";
import { loginPath } from "#app/shell/refusals.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { rememberPendingReaction, takePendingReaction } from "./pending-reaction.ts";
import { changeIn, type Reaction, type ReactionResponse, reactionPath, reactionTexts } from "./reaction.ts";
import { initialState, nextState, type SavedReaction, shownOf } from "./reaction-state.ts";

export type ReactionControl = SavedReaction & { touched: boolean; press(): void };

const reactionTimeoutMs = 15_000;

export function useReaction(
  postId: string,
  reaction: Reaction,
  { loaded, cursor }: { loaded: SavedReaction; cursor: string },
): ReactionControl {
  const { viewer } = useRoot();
  const [state, dispatch] = useReducer(nextState, loaded, initialState);
  const [known, setKnown] = useState(loaded);
  if (known.on !== loaded.on || known.count !== loaded.count) {
    setKnown(loaded);
    dispatch({ type: "loaded", saved: loaded });
  }
  useLive(
    viewer ? [`post:${postId}`, `user:${viewer.id}`] : [`post:${postId}`],
    (event) => {
      const change = changeIn(event, postId, reaction);
      if (change) dispatch({ type: "received", ...change });
    },
    cursor,
  );

  const send = useEffectEvent(async () => {
    const result = await post(postId, reaction, state.sent === true);
    showToast(result);
    dispatch(result.saved ? { type: "answered", saved: result.saved } : { type: "failed" });
  });
  useEffect(() => {
    if (state.request > 0) void send();
  }, [state.request]);

  const viewerId = viewer?.id;
  useEffect(() => {
    if (viewerId && takePendingReaction(postId, reaction) && !known.on) dispatch({ type: "pressed" });
  }, [viewerId, postId, reaction, known.on]);

  const press = () => {
    if (viewer) return dispatch({ type: "pressed" });
    // A visitor’s press is remembered and carried out after signing in.
    rememberPendingReaction(postId, reaction);
    const link = { to: loginPath(window.location.pathname + window.location.search), label: "Sign In" };
    void post(postId, reaction, true).then((result) => showToast(result.tone === "info" ? { ...result, link } : result));
  };
  return { ...shownOf(state), touched: state.request > 0, press };
}

/** Continues when the page is left. Never throws. */
async function post(postId: string, reaction: Reaction, enabled: boolean): Promise<ReactionResponse> {
  const body = new URLSearchParams({ reaction, wanted: enabled ? "yes" : "no", scripted: "yes" });
  const lost: ReactionResponse = { tone: "error", text: reactionTexts[reaction].failed, saved: null };
  try {
    const signal = AbortSignal.timeout(reactionTimeoutMs);
    const response = await fetch(reactionPath(postId), { method: "POST", body, keepalive: true, signal });
    const result = (await response.json()) as Partial<ReactionResponse>;
    return result.tone && result.text ? { tone: result.tone, text: result.text, saved: result.saved ?? null } : lost;
  } catch {
    return lost;
  }
}

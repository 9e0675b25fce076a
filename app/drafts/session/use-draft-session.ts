import { useEffect, useState, useSyncExternalStore } from "react";
import { afterPaint } from "#app/ui/after-paint.ts";
import { useUnloadWarning } from "#app/ui/dialogs/use-unload-warning.ts";
import type { DraftSave, WorkingCopy } from "#domain/drafts/draft.ts";
import { webLocks } from "./alive.ts";
import type { DraftEnvironment } from "./draft-environment.ts";
import { DraftSession, type InitialDraft } from "./draft-session.ts";
import { openJournal } from "./journal.ts";
import { sendSave } from "./send-save.ts";
import type { SessionState } from "./session-state.ts";

type SessionOptions = InitialDraft & {
  copy: WorkingCopy | null;
  /** Nothing in particular was asked for: what this browser holds of a new story may be taken up. */
  anyNew: boolean;
  typed: boolean;
};

type SessionHandle = { session: DraftSession; state: SessionState };

let channel: BroadcastChannel | undefined;

function ownChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel("inkstead-drafts");
  return channel;
}

const environment: DraftEnvironment = {
  journal: openJournal(),
  claims: webLocks(),
  send: sendSave,
  announce: (saved) => ownChannel().postMessage(saved),
  afterPaint,
  now: () => Date.now(),
};

/** One session for as long as the form is shown; give the component another `key` for another draft. */
export function useDraftSession({ copy, anyNew, typed, ...beginning }: SessionOptions): SessionHandle {
  const [session] = useState(() => new DraftSession(beginning, environment));
  const [since] = useState(copy?.updatedAt ?? 0);
  const state = useSyncExternalStore(
    session.subscribe,
    () => session.state,
    () => session.state,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the form began with; the session knows the rest.
  useEffect(() => {
    if (typed) session.change({});
    void session.start({ copy, anyNew, since });
    return () => void session.leave();
  }, [session]);
  useEffect(() => listenToBrowser(session), [session]);
  useAddress(state, beginning.postId);
  useUnloadWarning(state.unsaved);
  return { session, state };
}

function listenToBrowser(session: DraftSession): () => void {
  const followOtherPage = ({ data }: MessageEvent<DraftSave & { revision: number }>) => session.followOtherPage(data);
  const flush = () => session.flush();
  const leave = () => session.saveBeforeUnload();
  // Phones end a page that is out of sight without another word.
  const looked = () => (document.visibilityState === "visible" ? session.flush() : session.saveBeforeUnload());
  const listening = ownChannel();
  listening.addEventListener("message", followOtherPage);
  window.addEventListener("online", flush);
  window.addEventListener("focus", flush);
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", looked);
  return () => {
    listening.removeEventListener("message", followOtherPage);
    window.removeEventListener("online", flush);
    window.removeEventListener("focus", flush);
    window.removeEventListener("pagehide", leave);
    document.removeEventListener("visibilitychange", looked);
  };
}

/** A new story's address names its draft, so that loading the page again finds it. The router needn't know. */
function useAddress({ id, unsaved, restored }: SessionState, postId: string | null): void {
  useEffect(() => {
    if (postId !== null || !(unsaved || restored)) return;
    const address = `${window.location.pathname}?draft=${id}`;
    window.history.replaceState(window.history.state, "", address);
  }, [id, unsaved, restored, postId]);
}

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { useUnloadWarning } from "#app/ui/dialogs/use-unload-warning.ts";
import type { DraftSave, WorkingCopy } from "#domain/drafts/draft.ts";
import { DraftSession, type InitialDraft, type SessionState } from "./draft-session.ts";
import { openJournal, webLocks } from "./journal.ts";
import type { DraftEnvironment } from "./recovery.ts";
import { sendSave } from "./save-loop.ts";

type SessionOptions = InitialDraft & {
  copy: WorkingCopy | null;
  /** The URL names no draft, so any new story of this browser may be restored. */
  continuesLatest: boolean;
  hasChanges: boolean;
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

/** One session while the form is shown. For another draft, give the component another `key`. */
export function useDraftSession({ copy, continuesLatest, hasChanges, ...initial }: SessionOptions): SessionHandle {
  const [session] = useState(() => new DraftSession(initial, environment));
  const [since] = useState(copy?.updatedAt ?? 0);
  const state = useSyncExternalStore(
    session.subscribe,
    () => session.state,
    () => session.state,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: initial values, which the session keeps.
  useEffect(() => {
    if (hasChanges) session.change({});
    void session.start({ copy, continuesLatest, since });
    return () => void session.leave();
  }, [session]);
  useEffect(() => listenToBrowser(session), [session]);
  useEditorUrl(state, initial.postId);
  useUnloadWarning(state.unsaved);
  return { session, state };
}

function listenToBrowser(session: DraftSession): () => void {
  const followOtherPage = ({ data }: MessageEvent<DraftSave & { revision: number }>) => session.followOtherPage(data);
  const flush = () => session.flush();
  const leave = () => session.saveBeforeUnload();
  // Phones end a hidden page without another event.
  const visibilityChanged = () => (document.visibilityState === "visible" ? session.flush() : session.saveBeforeUnload());
  const otherPages = ownChannel();
  otherPages.addEventListener("message", followOtherPage);
  window.addEventListener("online", flush);
  window.addEventListener("focus", flush);
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", visibilityChanged);
  return () => {
    otherPages.removeEventListener("message", followOtherPage);
    window.removeEventListener("online", flush);
    window.removeEventListener("focus", flush);
    window.removeEventListener("pagehide", leave);
    document.removeEventListener("visibilitychange", visibilityChanged);
  };
}

/**
 * Puts a new story's draft id into the URL, so that a reload finds it. Without the router, which would load the page's data again and
 * which writes its own URL after a refused submit.
 */
function useEditorUrl({ id, unsaved, restored }: SessionState, postId: string | null): void {
  const { key } = useLocation();
  const isNamed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each key the router has written its URL.
  useEffect(() => {
    isNamed.current ||= unsaved || restored;
    if (postId !== null || !isNamed.current) return;
    const url = `${window.location.pathname}?draft=${id}`;
    window.history.replaceState(window.history.state, "", url);
  }, [id, unsaved, restored, postId, key]);
}

/** Milliseconds. Browsers draw no frames of a hidden page. */
const paintTimeoutMs = 100;

function afterPaint(work: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    work();
  };
  // Timers of a hidden page may take a minute.
  if (document.hidden) once();
  else requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, paintTimeoutMs);
}

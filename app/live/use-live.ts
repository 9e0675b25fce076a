import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { type LiveEvent, livePath } from "#domain/live.ts";
import { type BroadcastListener, LiveConnection, type LiveListener, type LiveState, type Socket } from "./live-connection.ts";

let connection: LiveConnection | undefined;

/** The tab's connection; only in the browser. */
export function ownConnection(): LiveConnection {
  if (connection) return connection;
  const made = new LiveConnection(() => new WebSocket(livePath) as Socket);
  window.addEventListener("pagehide", () => made.pause());
  window.addEventListener("pageshow", ({ persisted }) => persisted && made.resume());
  window.addEventListener("online", () => made.reconnectNow());
  connection = made;
  return made;
}

/**
 * Calls `onEvent` for what happens on the topics while the component is shown. `after` is the cursor that the page was
 * loaded with, so that nothing between its loading and now is missed. An event of type `gap` means: reload.
 */
export function useLive(topics: string[], onEvent: LiveListener, after?: string): void {
  const person = useRoot().viewer?.id ?? null;
  const handleEvent = useEffectEvent(onEvent);
  const begin = useEffectEvent(() => after);
  const names = topics.join(" ");
  useEffect(() => {
    if (names === "") return;
    const listener: LiveListener = (event, message) => handleEvent(event, message);
    return ownConnection().listen({ topics: names.split(" "), after: begin(), person }, listener);
  }, [names, person]);
}

const nothing = () => {};

export function useBroadcasts(topics: string[], onBroadcast: BroadcastListener): void {
  const person = useRoot().viewer?.id ?? null;
  const handleBroadcast = useEffectEvent(onBroadcast);
  const names = topics.join(" ");
  useEffect(() => {
    if (names === "") return;
    return ownConnection().listen({ topics: names.split(" "), person }, nothing, (broadcast) => handleBroadcast(broadcast));
  }, [names, person]);
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (changed) => ownConnection().watch(changed),
    () => ownConnection().state,
    () => "idle",
  );
}

const reloadDelayMs = 2_000;

export function useRevalidateOn(topics: string[], after?: string, unless: (event: LiveEvent) => boolean = () => false): void {
  const { revalidate } = useRevalidator();
  const isNavigating = useNavigation().state !== "idle";
  const [eventCount, setEventCount] = useState(0);
  const last = useRef(0);
  const load = useEffectEvent(() => {
    last.current = Date.now();
    setLoaded(eventCount);
    void revalidate();
  });
  const [loaded, setLoaded] = useState(0);
  useLive(topics, (event) => unless(event) || setEventCount((count) => count + 1), after);
  // Refused: what the page shows went out of sight before it began to listen.
  useBroadcasts(topics, ({ type }) => (type === "post.forgotten" || type === "refused") && setEventCount((count) => count + 1));
  useEffect(() => {
    // Someone's own change leads on by itself, and to load this page again would lose the toast that it brings.
    if (eventCount === loaded || isNavigating) return;
    const timer = setTimeout(load, Math.max(0, last.current + reloadDelayMs - Date.now()));
    return () => clearTimeout(timer);
  }, [eventCount, loaded, isNavigating]);
}

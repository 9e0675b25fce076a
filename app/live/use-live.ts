import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import type { LiveEvent } from "#domain/live.ts";
import { type BroadcastListener, type LiveListener, type LiveState, ownConnection } from "./live-connection.ts";

/** `after`: the cursor that the page was loaded with; events since then are delivered too. On an event of type `gap`, reload. */
export function useLive(topics: string[], onEvent: LiveListener, after?: string): void {
  const viewerId = useRoot().viewer?.id ?? null;
  const handleEvent = useEffectEvent(onEvent);
  const initialCursor = useEffectEvent(() => after);
  const names = topics.join(" ");
  useEffect(() => {
    if (names === "") return;
    const listener: LiveListener = (event, message) => handleEvent(event, message);
    return ownConnection().listen({ topics: names.split(" "), after: initialCursor(), viewerId }, listener);
  }, [names, viewerId]);
}

const nothing = () => {};

export function useBroadcasts(topics: string[], onBroadcast: BroadcastListener): void {
  const viewerId = useRoot().viewer?.id ?? null;
  const handleBroadcast = useEffectEvent(onBroadcast);
  const names = topics.join(" ");
  useEffect(() => {
    if (names === "") return;
    return ownConnection().listen({ topics: names.split(" "), viewerId }, nothing, (broadcast) => handleBroadcast(broadcast));
  }, [names, viewerId]);
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
  // A topic is refused if the post was hidden before the page subscribed.
  useBroadcasts(topics, ({ type }) => (type === "post.forgotten" || type === "refused") && setEventCount((count) => count + 1));
  useEffect(() => {
    // The viewer's own changes navigate; a reload of this page would lose their toast.
    if (eventCount === loaded || isNavigating) return;
    const timer = setTimeout(load, Math.max(0, last.current + reloadDelayMs - Date.now()));
    return () => clearTimeout(timer);
  }, [eventCount, loaded, isNavigating]);
}

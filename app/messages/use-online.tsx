import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useBroadcasts, useLive } from "#app/live/use-live.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { ownTopic } from "#domain/messages/message.ts";

export function useOnline(ids: string[]): ReadonlySet<string> {
  const [online, setOnline] = useState<ReadonlySet<string>>(new Set());
  useBroadcasts(
    [...ids].sort().map((id) => `presence:${id}`),
    ({ topic, type }) => {
      const id = topic.slice("presence:".length);
      setOnline((before) => {
        const after = new Set(before);
        if (type === "online") after.add(id);
        else after.delete(id);
        return after;
      });
    },
  );
  return online;
}

export function OnlineDot() {
  return (
    <span className="absolute right-0 bottom-0 size-3 rounded-full border-2 border-paper bg-success">
      <span className="sr-only">online</span>
    </span>
  );
}

/** How long “typing…” shows after the last broadcast. */
const typingLastsMs = 4_000;

export function useTyping(partnerId: string): boolean {
  const viewerId = useRoot().viewer?.id;
  const topics = viewerId ? [ownTopic(viewerId)] : [];
  const [typing, setTyping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const become = useEffectEvent((now: boolean) => {
    clearTimeout(timer.current);
    setTyping(now);
    if (now) timer.current = setTimeout(() => setTyping(false), typingLastsMs);
  });
  useBroadcasts(topics, ({ type, data }) => type === "typing" && data.partnerId === partnerId && become(true));
  useLive(topics, ({ type, data }) => type === "message.created" && data.partnerId === partnerId && !data.own && become(false));
  useEffect(() => () => clearTimeout(timer.current), []);
  return typing;
}

import { useEffect, useRef, useState } from "react";

/** What a writer has typed and not yet sent. */
export type UnfinishedStory = { title: string; slug: string; slugTyped: boolean; content: string; status: "active" | "inactive" };

export const emptyStory: UnfinishedStory = { title: "", slug: "", slugTyped: false, content: "", status: "active" };

const keyOf = (userId: string) => `inkstead:unfinished-story:${userId}`;
const pause = 250;

/**
 * The story of the form, kept in this browser at every pause of a quarter of a second and when the page goes away, so
 * that a reload, a crash or a lost connection brings it back.
 */
export function useUnfinishedStory(userId: string, initial: UnfinishedStory) {
  const [story, setStory] = useState(initial);
  const [restored, setRestored] = useState(false);
  const latest = useRef(story);
  latest.current = story;
  const finished = useRef(false);

  useEffect(() => {
    const kept = isBlank(latest.current) ? readKept(userId) : undefined;
    if (!kept) return;
    setStory(kept);
    setRestored(true);
  }, [userId]);

  useEffect(() => {
    const timer = setTimeout(() => finished.current || keep(userId, story), pause);
    return () => clearTimeout(timer);
  }, [userId, story]);

  useEffect(() => {
    const keepNow = () => finished.current || keep(userId, latest.current);
    window.addEventListener("pagehide", keepNow);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      keepNow();
    };
  }, [userId]);

  return {
    story,
    restored,
    change: (part: Partial<UnfinishedStory>) => setStory((before) => ({ ...before, ...part })),
    /** The server has it: nothing is kept here any more. */
    finish() {
      finished.current = true;
      forget(userId);
    },
    discard() {
      forget(userId);
      setStory(emptyStory);
      setRestored(false);
    },
  };
}

function isBlank({ title, slug, content }: UnfinishedStory): boolean {
  return title === "" && slug === "" && content === "";
}

function readKept(userId: string): UnfinishedStory | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "null");
    return kept && typeof kept.title === "string" && typeof kept.content === "string" ? { ...emptyStory, ...kept } : undefined;
  } catch {
    return undefined;
  }
}

/** A browser without room or leave to keep anything must not stop the writing. */
function keep(userId: string, story: UnfinishedStory): void {
  try {
    if (isBlank(story)) forget(userId);
    else localStorage.setItem(keyOf(userId), JSON.stringify(story));
  } catch {}
}

function forget(userId: string): void {
  try {
    localStorage.removeItem(keyOf(userId));
  } catch {}
}

import { useCallback, useEffect, useMemo, useState } from "react";
import type { DraftSession } from "#app/drafts/session/draft-session.ts";
import type { PostField, PostRefusal } from "#app/posts/post-refusal.ts";
import { showToast } from "#app/shell/toasts.tsx";

type OpenRefusal = {
  /** What fields say of themselves, as long as they are as they were when they were refused. */
  errors: PostRefusal["errors"];
  /** What no field says. */
  message: string | undefined;
  changed: (...fields: PostField[]) => void;
};

const none: readonly PostField[] = [];

/** A refusal goes away with the change of what was refused. */
export function useOpenRefusal(session: DraftSession, refused: PostRefusal | undefined): OpenRefusal {
  const [since, setSince] = useState<{ of: PostRefusal | undefined; fields: readonly PostField[] }>({ of: refused, fields: none });
  const fields = since.of === refused ? since.fields : none;
  useEffect(() => {
    if (!refused) return;
    showToast({ tone: "error", text: refused.message });
    if (refused.changed) session.showConflict(refused.changed.theirs);
    else session.resume();
    document.querySelector<HTMLElement>("#story-form [aria-invalid=true]")?.focus();
  }, [refused, session]);
  const errors = useMemo(() => {
    const named = Object.entries(refused?.errors ?? {}) as [PostField, string | undefined][];
    return Object.fromEntries(named.filter(([field, error]) => error && !fields.includes(field)));
  }, [refused, fields]);
  const changed = useCallback(
    (...now: PostField[]) => {
      if (refused && now.some((field) => !fields.includes(field))) setSince({ of: refused, fields: [...fields, ...now] });
    },
    [refused, fields],
  );
  const isOfField = Object.values(refused?.errors ?? {}).some(Boolean);
  return { errors, changed, message: refused && !isOfField && fields.length === 0 ? refused.message : undefined };
}

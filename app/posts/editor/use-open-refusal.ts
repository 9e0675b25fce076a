import { useCallback, useEffect, useMemo, useState } from "react";
import type { DraftSession } from "#app/drafts/session/draft-session.ts";
import type { PostField, PostRefusal } from "#app/posts/post-refusal.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

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
  const hydrated = useHydrated();
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
    // With scripts the slug follows the title: what is missing is the title.
    const follows = hydrated && refused?.typed?.slug === "" && refused.errors.title;
    return Object.fromEntries(named.filter(([field, error]) => error && !fields.includes(field) && !(follows && field === "slug")));
  }, [refused, fields, hydrated]);
  const changed = useCallback(
    (...now: PostField[]) => {
      if (!refused) return;
      setSince((before) => {
        const openFields = before.of === refused ? before.fields : none;
        return now.every((field) => openFields.includes(field)) ? before : { of: refused, fields: [...openFields, ...now] };
      });
    },
    [refused],
  );
  const isOfField = Object.values(refused?.errors ?? {}).some(Boolean);
  return { errors, changed, message: refused && !isOfField && fields.length === 0 ? refused.message : undefined };
}

import { useEffect } from "react";
import { PrefetchPageLinks, useFetcher } from "react-router";
import type { ModerationResult } from "#app/admin/posts/post-moderation.ts";
import { useMay } from "#app/admin/shell/use-may.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { HiddenFields } from "#app/ui/hidden-fields.tsx";
import { Undo2 } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { type ModerationActionTimes, undoPermission, undoProblem } from "#domain/moderation/moderation-action.ts";

export type UndoableAction = ModerationActionTimes & { id: string; batchId: string | null; isOwnCase: boolean };

/** Undoes a moderation action, or the bulk action it was part of. `about` names it for screen readers. */
export function UndoButton({ moderationAction, about, now }: { moderationAction: UndoableAction; about: string; now: number }) {
  const may = useMay();
  if (moderationAction.undoneAt !== null) return <Badge tone="success">Undone</Badge>;
  if (undoProblem(moderationAction, now) !== undefined) return <Badge>Can’t be undone anymore</Badge>;
  if (moderationAction.isOwnCase) return <Badge>Only other staff can undo this</Badge>;
  if (!may(undoPermission(moderationAction.kind))) return null;
  return (
    <span className="flex flex-wrap gap-2">
      <UndoForm fields={{ id: moderationAction.id }} label="Undo" about={about} />
      {moderationAction.batchId && (
        <UndoForm fields={{ batch: moderationAction.batchId }} label="Undo the whole bulk action" about={about} />
      )}
    </span>
  );
}

type UndoFormProps = { fields: Record<string, string>; label: string; about?: string };

export function UndoForm({ fields, label, about }: UndoFormProps) {
  const fetcher = useFetcher<ModerationResult>();
  const hydrated = useHydrated();
  const result = fetcher.data;
  useEffect(() => {
    if (result) showToast(result);
  }, [result]);
  return (
    <fetcher.Form method="post" action="/admin/undo">
      {/* If this module fails to load on submit, the router reloads the page. */}
      <PrefetchPageLinks page="/admin/undo" />
      {hydrated && <input type="hidden" name="scripted" value="yes" />}
      <HiddenFields fields={fields} />
      <Button
        type="submit"
        size="sm"
        icon={Undo2}
        busy={fetcher.state !== "idle"}
        {...(about ? { "aria-label": `${label}: ${about}` } : {})}
      >
        {label}
      </Button>
    </fetcher.Form>
  );
}

import { useEffect } from "react";
import { useFetcher } from "react-router";
import { type ModerationResult, toastsOf } from "#app/admin/posts/post-moderation.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { UndoForm } from "./undo-button.tsx";

/** Posts moderation actions without leaving the page, and shows their results as toasts. */
export function useModeration(path: string) {
  const fetcher = useFetcher<ModerationResult>();
  useResultToasts(fetcher.data);
  const moderate = (fields: Record<string, string>): Promise<void> =>
    fetcher.submit({ ...fields, scripted: "yes", confirmed: "yes" }, { method: "post", action: path });
  return { moderate, busy: fetcher.state !== "idle" };
}

export function useResultToasts(result: ModerationResult | undefined): void {
  useEffect(() => {
    if (result) showResult(result);
  }, [result]);
}

export function showResult(result: ModerationResult): void {
  const { undo } = result;
  for (const toast of toastsOf(result))
    showToast(undo && toast.tone === "success" ? { ...toast, button: <UndoForm fields={undo} label="Undo" /> } : toast);
}

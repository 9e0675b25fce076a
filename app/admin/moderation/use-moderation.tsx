import { useEffect } from "react";
import { useFetcher } from "react-router";
import { type ModerationAnswer, toastsOf } from "#app/admin/posts/post-moderation.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { UndoForm } from "./undo-button.tsx";

/** Posts moderation actions without leaving the page, and shows their results as toasts. */
export function useModeration(path: string) {
  const fetcher = useFetcher<ModerationAnswer>();
  useAnswerToasts(fetcher.data);
  const moderate = (fields: Record<string, string>): Promise<void> =>
    fetcher.submit({ ...fields, scripted: "yes", confirmed: "yes" }, { method: "post", action: path });
  return { moderate, busy: fetcher.state !== "idle" };
}

export function useAnswerToasts(answer: ModerationAnswer | undefined): void {
  useEffect(() => {
    if (answer) showAnswer(answer);
  }, [answer]);
}

/** The toast of a bulk action has an Undo button. */
export function showAnswer(answer: ModerationAnswer): void {
  const { batch } = answer;
  for (const toast of toastsOf(answer))
    showToast(batch && toast.tone === "success" ? { ...toast, button: <UndoForm fields={{ batch }} label="Undo" /> } : toast);
}

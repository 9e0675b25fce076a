import { useEffect } from "react";
import { type ModerationAnswer, toastsOf } from "#app/admin/posts/post-moderation.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { UndoForm } from "./undo-button.tsx";

/** Shows what became of something that was sent, once; what went through many at once with the way back. */
export function useAnswerToasts(answer: ModerationAnswer | undefined): void {
  useEffect(() => {
    if (answer) showAnswer(answer);
  }, [answer]);
}

export function showAnswer(answer: ModerationAnswer): void {
  const { batch } = answer;
  for (const toast of toastsOf(answer))
    showToast(batch && toast.tone === "success" ? { ...toast, button: <UndoForm fields={{ batch }} label="Undo" /> } : toast);
}

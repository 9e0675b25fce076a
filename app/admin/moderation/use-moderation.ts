import { useEffect } from "react";
import { useFetcher } from "react-router";
import { type ModerationAnswer, toastsOf } from "#app/admin/posts/post-moderation.ts";
import { showToast } from "#app/shell/toasts.tsx";

export type Moderate = (fields: Record<string, string | string[]>) => Promise<void>;

/** Posts what a button asks for without leaving the page, and shows what became of it. One at a time. */
export function useModeration(address: string): { moderate: Moderate; busy: boolean; answer: ModerationAnswer | undefined } {
  const fetcher = useFetcher<ModerationAnswer>();
  const answer = fetcher.data;
  useEffect(() => {
    if (answer) for (const toast of toastsOf(answer)) showToast(toast);
  }, [answer]);
  const moderate: Moderate = (fields) => {
    const form = new FormData();
    for (const [name, values] of Object.entries({ ...fields, scripted: "yes", confirmed: "yes" }))
      for (const value of Array.isArray(values) ? values : [values]) form.append(name, value);
    return fetcher.submit(form, { method: "post", action: address });
  };
  return { moderate, busy: fetcher.state !== "idle", answer };
}

import { useFetcher } from "react-router";
import type { ModerationAnswer } from "#app/admin/posts/post-moderation.ts";
import { useAnswerToasts } from "./answer-toasts.tsx";

export type Moderate = (fields: Record<string, string | string[]>) => Promise<void>;

/** Posts what a button asks for without leaving the page, and shows what became of it. One at a time. */
export function useModeration(address: string): { moderate: Moderate; busy: boolean; answer: ModerationAnswer | undefined } {
  const fetcher = useFetcher<ModerationAnswer>();
  const answer = fetcher.data;
  useAnswerToasts(answer);
  const moderate: Moderate = (fields) => {
    const form = new FormData();
    for (const [name, values] of Object.entries({ ...fields, scripted: "yes", confirmed: "yes" }))
      for (const value of Array.isArray(values) ? values : [values]) form.append(name, value);
    return fetcher.submit(form, { method: "post", action: address });
  };
  return { moderate, busy: fetcher.state !== "idle", answer };
}

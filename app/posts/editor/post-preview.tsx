import { useEffect } from "react";
import { useFetcher } from "react-router";
import { PostHtml } from "#app/posts/post-html.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import type { action } from "./preview-action.ts";

export function PostPreview({ markdown }: { markdown: string }) {
  const { submit, data } = useFetcher<typeof action>();
  useEffect(() => {
    // A preview changes nothing; a reload would transfer the whole text once more.
    const withoutRevalidation = { encType: "multipart/form-data", defaultShouldRevalidate: false } as const;
    void submit({ content: markdown }, { method: "post", action: "/add-post/preview", ...withoutRevalidation });
  }, [submit, markdown]);

  if (!data)
    return (
      <p className="flex h-full items-center justify-center gap-2 text-ink-2">
        <Spinner /> Loading preview...
      </p>
    );
  if (data.error) return <p className="p-8 text-danger">{data.error}</p>;
  if (data.html === "") return <p className="p-8 text-ink-3">Nothing to preview yet</p>;
  return (
    <section className="scrollbar-quiet h-full overflow-y-auto px-5 py-8 lg:px-16" aria-label="Preview">
      {data.fromElsewhere > 0 && (
        <p className="mx-auto mb-6 max-w-[36rem] text-sm text-ink-2">
          {data.fromElsewhere === 1 ? "A picture from another site is" : "Pictures from other sites are"} shown as a link here. We save a
          copy with the story when you save it.
        </p>
      )}
      <PostHtml html={data.html} className="mx-auto max-w-[36rem]" />
    </section>
  );
}

import { classNames } from "#app/ui/class-names.ts";

/** A story's text. Only for HTML that the server has sanitised when it was written. */
export function StoryHtml({ html, className }: { html: string; className?: string }) {
  return (
    <div
      dir="auto"
      className={classNames("prose-ink [overflow-wrap:anywhere]", className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: platform/markup/render.ts let nothing through that runs.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

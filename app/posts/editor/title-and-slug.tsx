import { useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/field.tsx";
import { Lock, TriangleAlert } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Draft } from "#domain/drafts/draft.ts";
import { postTexts, slugMaxLength, titleMaxLength } from "#domain/posts/post.ts";
import { isTruncated, loadTransliterate, needsTransliteration, slugFromChance, type Transliterate, toSlug } from "#domain/posts/slug.ts";

type TitleAndSlugDraft = Pick<Draft, "title" | "slug" | "slugTyped">;

type Props = {
  story: TitleAndSlugDraft;
  change: (part: Partial<TitleAndSlugDraft>) => void;
  /** The slug of a story that exists never changes. */
  slugIsFixed: boolean;
  errors: { title?: string | undefined; slug?: string | undefined };
  freeSlug: string | undefined;
};

export function TitleAndSlug({ story, change, slugIsFixed, errors, freeSlug }: Props) {
  const { truncated, follow } = useFollowingSlug(story, change);
  const offer = useHydrated() ? freeSlug : undefined;
  return (
    <>
      <label className="block">
        <span className="text-sm font-medium text-ink-2">Title</span>
        <textarea
          name="title"
          rows={1}
          dir="auto"
          maxLength={titleMaxLength * 2}
          value={story.title}
          placeholder="Untitled"
          onChange={(event) => void follow(event.target.value.replaceAll("\n", " "))}
          aria-invalid={errors.title ? true : undefined}
          aria-describedby={errors.title ? "title-error" : undefined}
          className="display !font-[480] field-sizing-content mt-1 block w-full resize-none rounded-sm bg-transparent text-t3 outline-offset-4 lg:text-d2"
        />
      </label>
      {errors.title && <FieldError id="title-error">{errors.title}</FieldError>}
      <SlugField {...{ story, change, slugIsFixed, truncated }} error={errors.slug} />
      {truncated && !errors.slug && (
        <p id="slug-warning" role="status" className="mt-1.5 flex items-start gap-1.5 text-sm text-warning">
          <TriangleAlert aria-hidden className="mt-[3px] size-3.5 shrink-0" />
          {postTexts.slugTruncated}
        </p>
      )}
      {errors.slug && (
        <div className="flex flex-wrap items-center gap-x-3">
          <FieldError id="slug-error">{offer ? postTexts.slugTaken : errors.slug}</FieldError>
          {offer && offer !== story.slug && (
            <button
              type="button"
              onClick={() => change({ slug: offer, slugTyped: true })}
              className="mt-1.5 h-8 text-sm font-medium text-accent-ink underline underline-offset-4"
            >
              Use “{offer}”
            </button>
          )}
        </div>
      )}
    </>
  );
}

type SlugFieldProps = Pick<Props, "story" | "change" | "slugIsFixed"> & { truncated: boolean; error: string | undefined };

function SlugField({ story, change, slugIsFixed, truncated, error }: SlugFieldProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 border-t border-line pt-3 text-sm">
      <label htmlFor="slug" className="font-medium text-ink-2">
        Slug
      </label>
      <span
        className={classNames(
          "flex h-10 min-w-56 flex-1 items-center rounded-sm px-2.5 font-mono text-sm max-sm:order-3 max-sm:basis-full lg:h-9",
          slugIsFixed
            ? "border border-transparent bg-sunken text-ink-2"
            : "border border-control bg-raised focus-within:border-ink focus-within:outline-2 focus-within:outline-accent",
        )}
      >
        {slugIsFixed && <Lock aria-hidden className="mr-2 size-3.5 shrink-0 text-ink-3" />}
        <span className="text-ink-3">/post/</span>
        <input
          id="slug"
          name="slug"
          readOnly={slugIsFixed}
          value={story.slug}
          onChange={(event) => change({ slug: event.target.value, slugTyped: event.target.value !== "" })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "slug-error" : truncated ? "slug-warning" : undefined}
          className="min-w-0 flex-1 bg-transparent outline-none"
        />
      </span>
      <span className={story.slug.length >= slugMaxLength ? "num text-warning" : "num text-ink-3"}>
        {story.slug.length} / {slugMaxLength}
      </span>
    </div>
  );
}

/** The library for other scripts is fetched with the first title that needs it. */
function useFollowingSlug(story: TitleAndSlugDraft, change: Props["change"]) {
  const [transliterate, setTransliterate] = useState<Transliterate>();
  const [byChance, setByChance] = useState(slugFromChance);

  async function follow(title: string) {
    change({ title });
    if (story.slugTyped) return;
    const load = !transliterate && needsTransliteration(title);
    const transliterateNow = load ? await loadTransliterate() : transliterate;
    if (load) setTransliterate(() => transliterateNow);
    if (title.trim() === "") setByChance(slugFromChance());
    change({ slug: title.trim() === "" ? "" : toSlug(title, transliterateNow) || byChance });
  }

  const truncated = !story.slugTyped && story.slug !== "" && isTruncated(story.title, transliterate);
  return { truncated, follow };
}

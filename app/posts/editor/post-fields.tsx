import { type KeyboardEvent, memo, useEffect, useEffectEvent, useRef, useState } from "react";
import type { DraftSession } from "#app/drafts/session/draft-session.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/field.tsx";
import { Lock, TriangleAlert } from "#app/ui/icons.tsx";
import { type RadioCard, RadioCards } from "#app/ui/radio-cards.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Draft } from "#domain/drafts/draft.ts";
import { type PostStatus, postTexts, slugMaxLength, titleMaxLength } from "#domain/posts/post.ts";
import { isTruncated, loadTransliterate, needsTransliteration, randomSlug, type Transliterate, toSlug } from "#domain/posts/slug.ts";
import type { EditablePost } from "#domain/posts/update-post.server.ts";
import { FeaturedImageField } from "./featured-image-field.tsx";
import type { PostField, PostRefusal } from "./form-notices.tsx";
import { MarkdownEditor } from "./markdown-editor.tsx";

/** What the bar's button depends on. */
export type FormState = { pictureMissing: boolean; status: PostStatus };

type FieldsProps = {
  author: CardAuthor;
  post: EditablePost | undefined;
  session: DraftSession;
  errors: PostRefusal["errors"];
  freeSlug: string | undefined;
  onState: (state: FormState) => void;
  onChanged: (...fields: PostField[]) => void;
};

/** A new `key` replaces the text. Memoized, as each save changes the state of the session. */
export const PostFields = memo(function PostFields({ session, post, author, errors, freeSlug, onState, onChanged }: FieldsProps) {
  const [draft, setDraft] = useState(session.draft);
  const [hasPicture, setHasPicture] = useState(draft.featuredImage !== null);
  const hydrated = useHydrated();
  const pictureMissing = !post && !hasPicture;
  const reportState = useEffectEvent(onState);
  useEffect(() => reportState({ pictureMissing, status: draft.status }), [pictureMissing, draft.status]);
  const isComplete = draft.title.trim() !== "" && draft.slug.trim() !== "";
  const pictureError = errors.featuredImage ?? (hydrated && isComplete && pictureMissing ? postTexts.imageRequired : undefined);

  function change(part: Partial<typeof draft>) {
    setDraft((before) => ({ ...before, ...part }));
    session.change(part);
    onChanged(...(Object.keys(part).filter((name) => name !== "slugTyped") as PostField[]));
  }

  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="min-w-0">
        <TitleAndSlug post={draft} change={change} slugIsFixed={post !== undefined} errors={errors} freeSlug={freeSlug} />
        <MarkdownEditor
          initial={draft.content}
          onChange={(read) => {
            session.type(read);
            onChanged("content");
          }}
          error={errors.content}
        />
      </div>
      <aside className="flex min-w-0 flex-col gap-4 lg:pt-7" aria-label="Story settings">
        {author.id === session.post.userId ? (
          <StatusField value={draft.status} onChange={(status) => change({ status })} />
        ) : (
          <input type="hidden" name="status" value={draft.status} />
        )}
        <FeaturedImageField
          fileId={draft.featuredImage}
          publishedFileId={post?.featuredImage ?? null}
          error={pictureError}
          onChange={({ chosen, fileId }) => {
            setHasPicture(chosen);
            onChanged("featuredImage");
            session.change({ featuredImage: fileId ?? (post && !chosen ? post.featuredImage : null) });
          }}
        />
        <AuthorCard {...author} />
      </aside>
    </div>
  );
});

type TitleAndSlugDraft = Pick<Draft, "title" | "slug" | "slugTyped">;

type TitleAndSlugProps = {
  post: TitleAndSlugDraft;
  change: (part: Partial<TitleAndSlugDraft>) => void;
  /** The slug of a story that exists never changes. */
  slugIsFixed: boolean;
  errors: { title?: string | undefined; slug?: string | undefined };
  freeSlug: string | undefined;
};

function TitleAndSlug({ post, change, slugIsFixed, errors, freeSlug }: TitleAndSlugProps) {
  const { truncated, deriveSlug, setSlug } = useDerivedSlug(post, change);
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
          value={post.title}
          placeholder="Untitled"
          onChange={(event) => void deriveSlug(event.target.value.replaceAll("\n", " "))}
          aria-invalid={errors.title ? true : undefined}
          aria-describedby={errors.title ? "title-error" : undefined}
          className="display !font-[480] field-sizing-content mt-1 block w-full resize-none rounded-sm bg-transparent text-t3 outline-offset-4 lg:text-d2"
        />
      </label>
      {errors.title && <FieldError id="title-error">{errors.title}</FieldError>}
      <SlugField {...{ post, setSlug, slugIsFixed, truncated }} error={errors.slug} />
      {truncated && !errors.slug && (
        <p id="slug-warning" role="status" className="mt-1.5 flex items-start gap-1.5 text-sm text-warning">
          <TriangleAlert aria-hidden className="mt-[3px] size-3.5 shrink-0" />
          {postTexts.slugTruncated}
        </p>
      )}
      {errors.slug && (
        <div className="flex flex-wrap items-center gap-x-3">
          <FieldError id="slug-error">{offer ? postTexts.slugTaken : errors.slug}</FieldError>
          {offer && offer !== post.slug && (
            <button
              type="button"
              onClick={() => setSlug(offer)}
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

type SlugFieldProps = Pick<TitleAndSlugProps, "post" | "slugIsFixed"> & {
  setSlug: (slug: string) => void;
  truncated: boolean;
  error: string | undefined;
};

function SlugField({ post, setSlug, slugIsFixed, truncated, error }: SlugFieldProps) {
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
          value={post.slug}
          onChange={(event) => setSlug(event.target.value)}
          onKeyDown={ignoreEnter}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "slug-error" : truncated ? "slug-warning" : undefined}
          className="min-w-0 flex-1 bg-transparent outline-none"
        />
      </span>
      <span className={post.slug.length >= slugMaxLength ? "num text-warning" : "num text-ink-3"}>
        {post.slug.length} / {slugMaxLength}
      </span>
    </div>
  );
}

/** Enter in an input presses the form's button, which publishes. */
function ignoreEnter(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

/** The library for other scripts is fetched with the first title that needs it. */
function useDerivedSlug(post: TitleAndSlugDraft, change: TitleAndSlugProps["change"]) {
  const [transliterate, setTransliterate] = useState<Transliterate>();
  const [fallbackSlug, setFallbackSlug] = useState(randomSlug);
  const latestRequest = useRef(0);

  function setSlug(slug: string) {
    latestRequest.current++;
    change({ slug, slugTyped: slug !== "" });
  }

  async function deriveSlug(title: string) {
    change({ title });
    if (post.slugTyped) return;
    const request = ++latestRequest.current;
    const load = !transliterate && needsTransliteration(title);
    const transliterateNow = load ? await loadTransliterate() : transliterate;
    if (load) setTransliterate(() => transliterateNow);
    // Title or slug were changed while the library was loading.
    if (request !== latestRequest.current) return;
    if (title.trim() === "") setFallbackSlug(randomSlug());
    change({ slug: title.trim() === "" ? "" : toSlug(title, transliterateNow) || fallbackSlug });
  }

  const truncated = !post.slugTyped && post.slug !== "" && isTruncated(post.title, transliterate);
  return { truncated, deriveSlug, setSlug };
}

const statuses: RadioCard<PostStatus>[] = [
  { value: "active", label: "Published", note: "Visible to all" },
  { value: "inactive", label: "Draft", note: "Not published" },
];

type StatusProps = { value: PostStatus; onChange: (status: PostStatus) => void };

function StatusField({ value, onChange }: StatusProps) {
  const input = (status: PostStatus) => ({ checked: status === value, onChange: () => onChange(status) });
  return (
    <fieldset onKeyDown={ignoreEnter} className="rounded-lg border border-line bg-raised p-5">
      <legend className="float-left mb-3 text-sm font-semibold">Status</legend>
      <RadioCards name="status" cards={statuses} input={input} className="clear-both grid-cols-2" />
    </fieldset>
  );
}

type CardAuthor = { id: string; name: string; profileImage: string | null; published: number };

function AuthorCard({ id, name, profileImage, published }: CardAuthor) {
  return (
    <section className="rounded-lg border border-line bg-raised p-5">
      <h2 className="mb-3 text-sm font-semibold">Author</h2>
      <div className="flex items-center gap-3">
        <Avatar id={id} name={name} profileImage={profileImage} size={44} />
        <div className="min-w-0">
          <p className="truncate text-base font-semibold">{name}</p>
          <p className="text-sm text-ink-2">
            {published} {published === 1 ? "post" : "posts"} published
          </p>
        </div>
      </div>
    </section>
  );
}

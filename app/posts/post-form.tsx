import { ArrowLeft, CircleAlert } from "lucide-react";
import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink, IconLink } from "#app/ui/button.tsx";
import { column } from "#app/ui/panel.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { postTexts } from "#domain/posts/post.ts";
import { FeaturedImageField } from "./featured-image-field.tsx";
import { MarkdownEditor } from "./markdown-editor.tsx";
import type { PostRefusal } from "./post-refusal.ts";
import { StatusField } from "./status-field.tsx";
import { TitleAndSlug } from "./title-and-slug.tsx";
import type { useUnfinishedStory } from "./unfinished-story.ts";

type Props = {
  heading: string;
  submitLabel: string;
  author: { id: string; name: string; profileImage: string | null; published: number };
  unfinished: ReturnType<typeof useUnfinishedStory>;
  refusal: PostRefusal | undefined;
};

/** Title, slug, text, status and picture of a story (specification §2, Post form). */
export function PostForm({ heading, submitLabel, author, unfinished, refusal }: Props) {
  const { story, change } = unfinished;
  const [pictureChosen, setPictureChosen] = useState(false);
  const busy = useNavigation().formMethod === "POST";
  const errors = refusal?.errors ?? {};
  const complete = story.title.trim() !== "" && story.slug.trim() !== "";
  const pictureError = errors.featuredImage ?? (complete && !pictureChosen ? postTexts.imageRequired : undefined);
  const hydrated = useHydrated();
  return (
    <Form method="post" encType="multipart/form-data" noValidate>
      <FormBar
        heading={heading}
        submitLabel={submitLabel}
        unsaved={story.title !== "" || story.content !== "" || pictureChosen}
        blocked={hydrated && !pictureChosen}
        busy={busy}
      />
      <div className={`${column} pt-8 pb-24 lg:pt-10`}>
        <Notices refusal={refusal} unfinished={unfinished} />
        <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
          <div className="min-w-0">
            <TitleAndSlug story={story} change={change} errors={errors} freeSlug={refusal?.freeSlug} />
            <MarkdownEditor value={story.content} onChange={(content) => change({ content })} error={errors.content} />
          </div>
          <aside className="flex flex-col gap-4 lg:pt-7" aria-label="Story settings">
            <StatusField value={story.status} onChange={(status) => change({ status })} error={errors.status} />
            <FeaturedImageField error={hydrated ? pictureError : errors.featuredImage} onChange={setPictureChosen} />
            <AuthorCard {...author} />
          </aside>
        </div>
      </div>
    </Form>
  );
}

type FormBarProps = { heading: string; submitLabel: string; unsaved: boolean; blocked: boolean; busy: boolean };

function FormBar({ heading, submitLabel, unsaved, blocked, busy }: FormBarProps) {
  return (
    <div data-bar className="sticky top-0 z-(--z-sticky) border-b border-line bg-paper">
      <div className={`${column} flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 py-2`}>
        <IconLink to="/" label="Back" icon={ArrowLeft} className="-ml-2.5" />
        <h1 className="text-md font-semibold">{heading}</h1>
        {unsaved && (
          <Badge tone="warning" dot="solid">
            Unsaved changes
          </Badge>
        )}
        <div className="flex-1 max-sm:hidden" />
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
          <ButtonLink to="/" variant="ghost">
            Cancel
          </ButtonLink>
          <Button type="submit" variant="primary" disabled={blocked} busy={busy} busyLabel="Publishing...">
            {submitLabel}
          </Button>
        </div>
      </div>
    </div>
  );
}

function Notices({ refusal, unfinished }: Pick<Props, "refusal" | "unfinished">) {
  return (
    <>
      {refusal && (
        <p role="alert" className="mb-6 flex items-start gap-2 rounded-md border border-danger-line bg-danger-soft px-4 py-3 text-danger">
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
          {refusal.message}
        </p>
      )}
      {unfinished.restored && (
        <div
          role="status"
          className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken px-4 py-2.5 text-sm text-ink-2"
        >
          <span>Your unfinished story is back. A picture has to be chosen again.</span>
          <Button size="sm" onClick={unfinished.discard}>
            Start over
          </Button>
        </div>
      )}
    </>
  );
}

function AuthorCard({ id, name, profileImage, published }: Props["author"]) {
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

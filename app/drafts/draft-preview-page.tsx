import { redirect } from "react-router";
import { requireMember, siteContext } from "#app/context.ts";
import { PostHtml } from "#app/posts/post-html.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EyeOff } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { copyIdOf } from "#domain/drafts/draft.ts";
import { readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { renderVersion } from "#domain/posts/posts.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/draft-preview-page.ts";

/** Shows a working copy as readers would see it, or the story if there is none. @throws NotFound for another member's. */
export async function loader({ params: { draftId }, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = requireMember(context);
  try {
    const { title, content, featuredImage, postId } = await readWorkingCopy(site, viewer, draftId);
    return { title, featuredImage, postId, html: await renderVersion(site, viewer, content) };
  } catch (error) {
    const postId = draftId.slice(copyIdOf(viewer.id, "").length);
    if (isRefusal(error) && error.code === "not-found" && draftId === copyIdOf(viewer.id, postId)) throw redirect(`/post/${postId}`);
    throw error;
  }
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Preview" });

export default function DraftPreviewPage({ loaderData, params }: Route.ComponentProps) {
  const { title, featuredImage, postId, html } = loaderData;
  return (
    <>
      <div data-bar className="sticky top-0 z-(--z-sticky) border-b border-line bg-paper">
        <div className={`${column} flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2`}>
          <p className="flex items-center gap-2 text-base text-ink-2">
            <EyeOff aria-hidden className="size-4 shrink-0" />
            Preview. Only you can see this.
          </p>
          <ButtonLink to={postId ? `/edit-post/${postId}` : `/add-post?draft=${params.draftId}`}>Back to the editor</ButtonLink>
        </div>
      </div>
      <article className="px-4 pb-24 sm:px-8">
        <div className="mx-auto mt-6 max-w-wide lg:mt-8">
          <Picture file={featuredImage} sizes="(min-width: 60rem) 960px, 100vw" first className="-mx-4 sm:mx-0 sm:rounded-lg" />
        </div>
        <div className="mx-auto mt-8 max-w-read lg:mt-12">
          <h1 dir="auto" className="display !font-[480] text-d1 [overflow-wrap:anywhere] lg:text-d2">
            {title || "Untitled Post"}
          </h1>
          <PostHtml html={html} dropCap className="mt-9 lg:mt-11" />
        </div>
      </article>
    </>
  );
}

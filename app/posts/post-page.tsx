import { redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { PostNotice } from "#app/notices/post-notice.tsx";
import { BookmarkButton, LikeButton, Reactions } from "#app/reactions/reaction-button.tsx";
import { ReportLink } from "#app/reports/report-dialog.tsx";
import { ShareLinks } from "#app/shell/frame/share-links.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { ScrollToTop } from "#app/shell/scroll-to-top.tsx";
import { withFallback } from "#app/shell/with-fallback.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { Calendar, Clock, Eye, Pencil, Send, Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import type { SharedPageHandle } from "#app/ui/personal.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { longDate, shortDate } from "#domain/dates.ts";
import { cardFallbacks, readMinutes, shortCount } from "#domain/format.ts";
import type { PostCard as Card, Post } from "#domain/posts/post.ts";
import { readPost } from "#domain/posts/post-reads.server.ts";
import { listReadNext } from "#domain/posts/read-next.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/post-page.ts";
import { AboutTheAuthor } from "./about-the-author.tsx";
import { PostCard } from "./lists/post-card.tsx";
import { PostHtml } from "./post-html.tsx";
import { postMeta } from "./post-meta.ts";
import { deleteQuestions, publishQuestion } from "./questions.ts";
import { ReadingBar } from "./reading-bar.tsx";
import { ShareMenu } from "./share-menu.tsx";
import { PostState } from "./status-badge.tsx";
import { useViewTracking } from "./use-view-tracking.ts";

/** Specification §9, Scroll-to-top. */
const scrollToTopAfterPx = 600;

/** Redirects home if the story can't be read (specification §8, Post detail load). */
export async function loader({ params, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  try {
    const cursor = site.events.latest();
    const post = await readPost(site, context.get(viewerContext), params.slug);
    return { cursor, post, next: post.status === "active" ? await withFallback(site, listReadNext(site, post), []) : [] };
  } catch (error) {
    if (!isRefusal(error)) site.log.error({ err: error, slug: params.slug }, "a story could not be read");
    throw redirect("/");
  }
}

export const handle: SharedPageHandle = { shared: true };

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData ? pageMeta(matches, postMeta(loaderData.post)) : pageMeta(matches);

export default function PostPage({ loaderData: { post, cursor, next } }: Route.ComponentProps) {
  const { viewer, site } = useRoot();
  useViewTracking(post.id, viewer?.id ?? "anonymous");
  const reading = `${readMinutes(post.words)} min read`;
  return (
    <Reactions key={post.id} post={post} cursor={cursor}>
      <ReadingBar post={post} />
      <div className="px-4 pb-24 sm:px-8">
        <article>
          <div className="mx-auto mt-6 max-w-read lg:mt-8 lg:max-w-wide">
            <Picture file={post.featuredImage} sizes="(min-width: 60rem) 960px, 100vw" first className="-mx-4 sm:mx-0 sm:rounded-lg">
              {post.userId === viewer?.id && <AuthorTools post={post} />}
            </Picture>
          </div>
          <div className="mx-auto mt-8 max-w-read lg:mt-12">
            {post.notice && <PostNotice notice={post.notice} authorId={post.userId} />}
            <Opening post={post} reading={reading} />
            <PostHtml html={post.content} dropCap className="mt-9 lg:mt-11" />
            <Closing post={post} reading={reading} />
            <div className="mt-6 flex flex-wrap items-center justify-between gap-2">
              <ReactionBar post={post} />
              {post.status === "active" && (
                <ShareLinks url={`${site.url}/post/${post.id}`} title={post.title} className="hidden gap-1 noscript:flex" />
              )}
              {post.userId !== viewer?.id && <ReportLink kind="post" id={post.id} />}
            </div>
            {post.author && <AboutTheAuthor post={post} author={post.author} />}
          </div>
        </article>
        <ReadNext posts={next} />
        <ScrollToTop afterPx={scrollToTopAfterPx} />
      </div>
    </Reactions>
  );
}

/** For the author (specification §6, Author). */
function AuthorTools({ post }: { post: Post }) {
  return (
    <div className="absolute top-3 right-3 flex gap-2">
      <ButtonLink to={`/edit-post/${post.id}`} size="sm" icon={Pencil} className="lg:h-9!">
        Edit
      </ButtonLink>
      <ConfirmFormDialog
        button={{ variant: "danger", size: "sm", icon: Trash2, children: "Delete", className: "lg:h-9!" }}
        {...deleteQuestions.post}
        action={`/post/${post.id}/delete`}
      />
    </div>
  );
}

type PartProps = { post: Post; reading: string };

/** Drafts show no date, even if they were published before. */
function publishedAt({ status, publishedAt }: Post): number | null {
  return status === "active" ? publishedAt : null;
}

function Opening({ post, reading }: PartProps) {
  const published = publishedAt(post);
  const { title, userId, userName, profileImage, author } = post;
  const views = `${shortCount(post.views)} ${post.views === 1 ? "view" : "views"}`;
  return (
    <>
      {post.status === "inactive" && <PostState held={post.notice?.kind} className="mb-3" />}
      <div>
        <h1 dir="auto" className="display !font-[480] text-d1 [overflow-wrap:anywhere] lg:text-d2">
          {title}
        </h1>
        <p className="num mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-base text-ink-2">
          {published !== null && (
            <time dateTime={new Date(published).toISOString()} className="inline-flex items-center gap-1.5">
              <Calendar aria-hidden className="size-4" />
              {shortDate(published)}
            </time>
          )}
          <span className="inline-flex items-center gap-1.5">
            <Clock aria-hidden className="size-4" />
            {reading}
          </span>
          <span className="inline-flex items-center gap-1.5">
            <Eye aria-hidden className="size-4" />
            {views}
          </span>
        </p>
      </div>
      <div className="mt-7 flex flex-wrap items-center justify-between gap-4 border-y border-line py-4">
        <Link to={`/profile/${userId}`} className="inline-flex min-w-0 items-center gap-3">
          <Avatar id={userId} name={userName} profileImage={profileImage} size={44} />
          <span className="min-w-0">
            <span dir="auto" className="block text-base font-semibold">
              {userName || cardFallbacks.author}
            </span>
            {author?.location && <span className="block text-sm text-ink-2">{author.location}</span>}
          </span>
        </Link>
        <ReactionBar post={post} />
      </div>
    </>
  );
}

function ReactionBar({ post, className }: { post: Post; className?: string }) {
  if (post.status === "inactive") return <PublishDraft post={post} />;
  return (
    <div className={classNames("flex flex-wrap items-center gap-2", className)}>
      <LikeButton />
      <BookmarkButton />
      <ShareMenu post={post} className="max-sm:px-3! max-sm:[&_span]:sr-only noscript:hidden" />
    </div>
  );
}

/** Not for drafts. */
function PublishDraft({ post }: { post: Post }) {
  const { viewer } = useRoot();
  if (post.userId !== viewer?.id || post.notice?.kind === "hold" || post.notice?.kind === "delete") return null;
  return (
    <ConfirmFormDialog
      button={{ variant: "primary", icon: Send, children: "Publish" }}
      {...publishQuestion}
      action={`/post/${post.id}/publish`}
    />
  );
}

function Closing({ post, reading }: PartProps) {
  const first = publishedAt(post);
  const [published, updated] = [first === null ? null : longDate(first), longDate(post.updatedAt)];
  return (
    <footer className="mt-14 flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
      <p className="num flex flex-wrap gap-x-4 text-sm text-ink-2">
        {published && <span>{published === updated ? `Published and Last updated ${published}` : `Published ${published}`}</span>}
        {published !== updated && <span>Last updated {updated}</span>}
      </p>
      <ul className="flex gap-2" aria-label="Tags">
        {["Article", "Blog", reading].map((tag) => (
          <li key={tag} className="num inline-flex h-8 items-center rounded-full border border-line-strong px-3 text-sm text-ink-2">
            {tag}
          </li>
        ))}
      </ul>
    </footer>
  );
}

function ReadNext({ posts }: { posts: Card[] }) {
  if (posts.length === 0) return null;
  return (
    <section aria-labelledby="read-next" className="mx-auto mt-16 max-w-wide border-t-2 border-ink pt-5 lg:mt-20 dark:border-line-strong">
      <h2 id="read-next" className="display text-t3">
        Read next
      </h2>
      <div className="mt-6 grid gap-x-8 gap-y-12 sm:grid-cols-2 md:grid-cols-3">
        {posts.map((post) => (
          <PostCard key={post.id} post={post} titleSize="t1" sizes="(min-width: 60rem) 300px, (min-width: 40rem) 46vw, 92vw" />
        ))}
      </div>
    </section>
  );
}

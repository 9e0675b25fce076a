import { BookmarkIcon } from "#app/reactions/reaction-button.tsx";
import { BackLink } from "#app/shell/back-link.tsx";
import { useScroll } from "#app/shell/use-scroll.ts";
import { classNames } from "#app/ui/class-names.ts";
import { column } from "#app/ui/panel.tsx";
import type { Post } from "#domain/posts/post.ts";
import { ShareMenu } from "./share-menu.tsx";

export function ReadingBar({ post }: { post: Post }) {
  const percent = useScroll(percentRead, 0);
  const down = useScroll(() => window.scrollY > 120, false);
  return (
    <div data-bar className="sticky top-0 z-(--z-sticky) border-b border-line bg-paper">
      {/* Screen readers would beep at each scroll. */}
      <div
        aria-hidden
        className="reading-progress absolute top-0 left-0 z-(--z-progress) h-[3px] bg-accent"
        style={{ width: `${percent}%` }}
      />
      <div className={`${column} flex h-14 items-center gap-2`}>
        <BackLink />
        <span
          className={classNames(
            "min-w-0 flex-1 truncate text-center font-medium transition-opacity max-md:invisible",
            !down && "opacity-0",
          )}
          aria-hidden
        >
          {post.title}
        </span>
        <span aria-hidden className="num mr-1 w-20 text-right text-sm text-ink-2 noscript:hidden">
          {percent}% read
        </span>
        {post.status === "active" && <ShareMenu post={post} variant="ghost" className="px-3! noscript:hidden" />}
        {post.status === "active" && <BookmarkIcon />}
      </div>
    </div>
  );
}

/** The part of the text that has passed the bottom of the window. */
function percentRead(): number {
  const article = document.querySelector("article");
  const text = article?.querySelector(".prose-ink");
  if (!article || !text) return 0;
  const { top } = article.getBoundingClientRect();
  const length = text.getBoundingClientRect().bottom - top - window.innerHeight;
  return length <= 0 ? 100 : Math.round(Math.min(1, Math.max(0, -top / length)) * 100);
}

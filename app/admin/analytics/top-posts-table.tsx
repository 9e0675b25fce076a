import { classNames } from "#app/ui/class-names.ts";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { TopScoredPost } from "#domain/analytics/analytics.ts";
import { fullCount, pluralize, shortCount } from "#domain/format.ts";

const columns = [
  { id: "rank", label: <span className="sr-only">Rank</span>, className: "w-14 pl-5 lg:pl-6" },
  { id: "post", label: "Post", className: "px-3" },
  { id: "likes", label: "Likes", className: "px-3 text-right max-sm:hidden" },
  { id: "bookmarks", label: "Bookmarks", className: "px-3 text-right max-sm:hidden" },
  { id: "score", label: "Score", className: "pr-5 pl-3 text-right lg:pr-6" },
];

export function TopPostsTable({ posts }: { posts: TopScoredPost[] }) {
  return (
    <section className="mt-6 overflow-hidden rounded-lg border border-line bg-raised" aria-labelledby="top-posts">
      <h2 id="top-posts" className="display border-b border-line px-5 pt-4 pb-3 text-t2 lg:px-6">
        Top 10 posts
      </h2>
      {posts.length === 0 ? (
        <p className="px-5 py-8 text-base text-ink-2 lg:px-6">No stories published in this period</p>
      ) : (
        <table className="w-full text-base">
          <thead>
            <tr className="border-b border-line text-left">
              {columns.map(({ id, label, className }) => (
                <th key={id} scope="col" className={`h-11 text-sm font-medium text-ink-2 ${className}`}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {posts.map((post, index) => (
              <TopRow key={post.id} post={post} rank={index + 1} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function TopRow({ post, rank }: { post: TopScoredPost; rank: number }) {
  return (
    <tr className="border-b border-line last:border-0">
      <td className={classNames("display-em num pl-5 text-t2 lg:pl-6", rank === 1 ? "text-accent-ink" : "text-ink-3")}>{rank}</td>
      <td className="px-3 py-2.5">
        <div className="flex items-center gap-4">
          <Picture file={post.featuredImage} sizes="64px" className="w-16 shrink-0 rounded-sm max-sm:hidden" />
          <div className="min-w-0">
            <Link to={`/post/${post.id}`} className="line-clamp-2 leading-5 font-medium [overflow-wrap:anywhere] hover:text-accent-ink">
              {post.title}
            </Link>
            <p className="num mt-0.5 text-sm text-ink-2">
              {post.userName}
              <span className="sm:hidden"> · {pluralize(post.likesCount, "like")}</span>
            </p>
          </div>
        </div>
      </td>
      <td className="num px-3 text-right max-sm:hidden">{fullCount(post.likesCount)}</td>
      <td className="num px-3 text-right max-sm:hidden">{fullCount(post.bookmarksCount)}</td>
      <td className="display num pr-5 pl-3 text-right text-t1 lg:pr-6" title={fullCount(post.performanceScore)}>
        {shortCount(post.performanceScore)}
      </td>
    </tr>
  );
}

import type { ReactNode } from "react";
import { StatusBadge } from "#app/posts/status-badge.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import type { Dashboard } from "#domain/dashboard/dashboard.ts";
import { pluralize, shortCount } from "#domain/format.ts";
import { DashboardPanel } from "./dashboard-panel.tsx";

const row = "flex items-center gap-4 border-t border-line first:border-t-0";

function Nothing({ children }: { children: ReactNode }) {
  return <p className="py-6 text-base text-ink-2">{children}</p>;
}

export function TopPosts({ posts, className }: { posts: Dashboard["topPosts"]; className: string }) {
  return (
    <DashboardPanel title="Top posts" more={{ to: "/admin/analytics", label: "Top 10", needs: "see analytics" }} className={className}>
      {posts.length === 0 && <Nothing>No stories published in this period</Nothing>}
      <ol>
        {posts.map(({ id, title, userName, featuredImage, likesCount, score }, index) => (
          <li key={id} className={`${row} py-3`}>
            <span
              aria-hidden
              className={classNames("display-em num w-6 text-center text-t3 leading-none!", index === 0 ? "text-accent-ink" : "text-ink-3")}
            >
              {index + 1}
            </span>
            <Picture file={featuredImage} sizes="72px" className="w-[72px] shrink-0 rounded-sm max-sm:hidden" />
            <div className="min-w-0 flex-1">
              <Link
                to={`/post/${id}`}
                className="mb-0.5 line-clamp-2 text-base leading-5 font-medium [overflow-wrap:anywhere] hover:text-accent-ink"
              >
                {title}
              </Link>
              <p className="num truncate text-sm text-ink-2">
                {userName} · {pluralize(likesCount, "like")}
              </p>
            </div>
            <p className="text-right">
              <span className="display num text-t1">{shortCount(score)}</span> <span className="block text-xs text-ink-3">score</span>
            </p>
          </li>
        ))}
      </ol>
    </DashboardPanel>
  );
}

export function RecentPosts({ posts, now, className }: { posts: Dashboard["recentPosts"]; now: number; className: string }) {
  return (
    <DashboardPanel title="Recent Posts" more={{ to: "/admin/posts", label: "All posts", needs: "moderate stories" }} className={className}>
      {posts.length === 0 && <Nothing>No stories yet</Nothing>}
      <ul>
        {posts.map(({ id, title, userName, featuredImage, status, held, date }) => (
          <RecentItem
            key={id}
            image={<Picture file={featuredImage} sizes="64px" className="w-16 shrink-0 rounded-sm max-sm:hidden" />}
            to={`/post/${id}`}
            title={title}
            details={
              <>
                {userName} · <TimeAgo time={date} now={now} />
              </>
            }
          >
            <StatusBadge post={{ status, held }} />
          </RecentItem>
        ))}
      </ul>
    </DashboardPanel>
  );
}

export function RecentUsers({ users, now, className }: { users: Dashboard["recentUsers"]; now: number; className: string }) {
  return (
    <DashboardPanel title="Recent Users" more={{ to: "/admin/users", label: "All users", needs: "list members" }} className={className}>
      <ul>
        {users.map(({ joinedAt, location, ...user }) => (
          <RecentItem key={user.id} image={<Avatar {...user} size={40} />} to={`/profile/${user.id}`} title={user.name} details={location}>
            <TimeAgo time={joinedAt} now={now} className="text-sm whitespace-nowrap text-ink-2" />
          </RecentItem>
        ))}
      </ul>
    </DashboardPanel>
  );
}

type RecentItemProps = { image: ReactNode; to: string; title: string; details: ReactNode; children: ReactNode };

function RecentItem({ image, to, title, details, children }: RecentItemProps) {
  return (
    <li className={`${row} min-h-[61px]`}>
      {image}
      <div className="min-w-0 flex-1">
        <Link to={to} className="block truncate text-base font-medium hover:text-accent-ink">
          {title}
        </Link>
        {details && <p className="truncate text-sm text-ink-2">{details}</p>}
      </div>
      {children}
    </li>
  );
}

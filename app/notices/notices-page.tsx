import { AccountArea } from "#app/accounts/account-area.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ChevronRight } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { memberFacingTitles } from "#domain/moderation/moderation-action.ts";
import { type Notice, readNotices } from "#domain/moderation/notices.server.ts";
import { reportNouns } from "#domain/reports/report.ts";
import type { Route } from "./+types/notices-page.ts";
import { NoticeState } from "./notice-state.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  return readNotices(context.get(siteContext), context.get(viewerContext));
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Notices" });

export default function NoticesPage({ loaderData: { notices, answers } }: Route.ComponentProps) {
  const { now } = useRoot();
  return (
    <AccountArea
      back={{ to: "/profile", label: "Profile" }}
      title="Notices"
      lead="Moderation decisions about your stories and account, and the reasons for them."
    >
      {notices.length === 0 && answers.length === 0 && (
        <EmptyState art="calm" title="No notices" text="No moderation decisions" className="py-14" />
      )}
      {notices.length > 0 && (
        <ul className="mt-8 divide-y divide-line border-y border-line">
          {notices.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} now={now} />
          ))}
        </ul>
      )}
      {answers.length > 0 && (
        <section className="mt-12">
          <h2 className="display text-t3">Answers to your reports</h2>
          <ul className="mt-4 divide-y divide-line border-y border-line">
            {answers.map(({ id, kind, excerpt, answer, answerSeenAt, updatedAt }) => (
              <li key={id} className="py-5">
                <p className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
                  <span>
                    Your report of a {reportNouns[kind]} · <TimeAgo time={updatedAt} now={now} />
                  </span>
                  {answerSeenAt === null && <Badge tone="accent">New</Badge>}
                </p>
                {excerpt && <p className="mt-1 line-clamp-2 text-base text-ink-2 [overflow-wrap:anywhere]">{excerpt}</p>}
                <p className="mt-2 whitespace-pre-line text-base [overflow-wrap:anywhere]">{answer}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </AccountArea>
  );
}

function NoticeRow({ notice, now }: { notice: Notice; now: number }) {
  return (
    <li className="relative flex items-center gap-4 py-5 hover:bg-hover sm:-mx-4 sm:px-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <Link to={`/notices/${notice.id}`} className="font-semibold after:absolute after:inset-0">
            {memberFacingTitles[notice.kind]}
          </Link>
          {!notice.seen && <Badge tone="accent">New</Badge>}
          {notice.answered && <Badge tone="accent">Appeal answered</Badge>}
          <NoticeState notice={notice} now={now} />
        </p>
        {notice.postId && <p className="mt-1 truncate text-base text-ink-2">{notice.title}</p>}
        <p className="mt-1 text-sm text-ink-3">
          <TimeAgo time={notice.createdAt} now={now} />
        </p>
      </div>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </li>
  );
}

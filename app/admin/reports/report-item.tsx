import { useRoot } from "#app/shell/root-data.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ExternalLink, EyeOff } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { excerpt } from "#domain/format.ts";
import { decisionsOn } from "#domain/moderation/decision.ts";
import { editedReason, type QueueKind, type ReportStatus, reasonLabel, reportNouns, ruleReason } from "#domain/reports/report.ts";
import type { Report } from "#domain/reports/report-reads.server.ts";

const tones: Record<ReportStatus, { tone: BadgeTone; dot: "solid" | "hollow"; label: string }> = {
  pending: { tone: "warning", dot: "solid", label: "Pending" },
  resolved: { tone: "success", dot: "solid", label: "Resolved" },
  dismissed: { tone: "neutral", dot: "hollow", label: "Dismissed" },
};

/** The reported content, or for an appeal the content it is about. */
const pages: Record<QueueKind, (report: Report) => string | undefined> = {
  post: pageOfStory,
  profile: ({ subjectId }) => `/profile/${subjectId}`,
  message: ({ id, isOwnCase }) => (isOwnCase ? undefined : `/admin/reports/${id}/messages`),
  appeal: (report) => (report.appealed?.startsWith("user:") ? report.appealed.replace("user:", "/profile/") : pageOfStory(report)),
};

function pageOfStory({ storyId }: Report): string | undefined {
  return storyId === null ? undefined : `/post/${storyId}`;
}

/** Reports without a reporter. */
const reportedBy: Record<string, string | undefined> = { [ruleReason]: "Reported by a rule", [editedReason]: "Changed by its author" };

function openLabel({ kind, appealed }: Report): string {
  if (kind === "message") return "Open in its conversation";
  if (kind === "appeal") return appealed?.startsWith("post:") ? "Open the story" : "Open the profile";
  return `Open the ${reportNouns[kind]}`;
}

type ReportItemProps = { report: Report; onDo: (action: string) => void };

export function ReportItem({ report, onDo }: ReportItemProps) {
  return (
    <li className="flex flex-col gap-4 p-4 lg:flex-row lg:gap-8 lg:p-5">
      <ReportFacts report={report} />
      <ReportButtons report={report} onDo={onDo} />
    </li>
  );
}

export function ReportFacts({ report, whole = false }: { report: Report; whole?: boolean }) {
  const { now } = useRoot();
  const { tone, dot, label } = tones[report.status];
  const path = pages[report.kind](report);
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone} dot={dot}>
          {label}
        </Badge>
        {report.held && (
          <Badge tone="warning" icon={EyeOff}>
            {report.held === "delete" ? "Deleted" : "Held"}
          </Badge>
        )}
        {report.isDraft && <Badge>Draft</Badge>}
        <span className="font-medium">{reasonLabel(report.reason)}</span>
        <span className="text-sm text-ink-2">
          {report.kind === "appeal" ? "against a" : "a"} {reportNouns[report.kind]} · <TimeAgo time={report.createdAt} now={now} />
        </span>
      </p>
      <blockquote
        dir="auto"
        className={classNames(
          "mt-3 border-l-2 border-line-strong pl-3 font-reading text-md whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]",
          !whole && "line-clamp-4",
        )}
      >
        {report.excerpt}
      </blockquote>
      {report.note && (
        <p dir="auto" className={classNames("mt-3 whitespace-pre-line text-base [overflow-wrap:anywhere]", !whole && "line-clamp-6")}>
          {report.note}
        </p>
      )}
      <Additions report={report} />
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2">
        <span>
          By <Person id={report.ownerId} name={report.ownerName} />
        </span>
        {report.kind !== "appeal" && !report.isOwnCase && (
          <span>
            {reportedBy[report.reason] ?? (
              <>
                Reported by <Person id={report.reporterId} name={report.reporterName} />
              </>
            )}
          </span>
        )}
        {path && (
          <Link
            to={path}
            className="inline-flex items-center gap-1 font-medium text-accent-ink underline decoration-accent-line underline-offset-4 hover:decoration-current"
          >
            {openLabel(report)}
            <ExternalLink aria-hidden className="size-3.5" />
          </Link>
        )}
      </p>
    </div>
  );
}

/** Later reports of the same content by the same member. */
function Additions({ report: { additions } }: { report: Report }) {
  const { now } = useRoot();
  if (additions.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-col gap-2 text-base" aria-label="Reported again">
      {additions.map(({ reason, note, at }) => (
        <li key={`${at} ${note}`} className="border-t border-line pt-2">
          <span className="font-medium">{reasonLabel(reason)}</span>{" "}
          <span className="text-sm text-ink-2">
            added <TimeAgo time={at} now={now} />
          </span>
          {note && (
            <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
              {note}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Person({ id, name }: { id: string | null; name: string | null }) {
  if (!id || !name) return <span>a deleted member</span>;
  return (
    <Link to={`/profile/${id}`} className="font-medium text-ink underline decoration-line-strong underline-offset-4">
      {name}
    </Link>
  );
}

function ReportButtons({ report, onDo }: ReportItemProps) {
  const about = `the report of ${excerpt(report.excerpt, 60)}`;
  const button = (action: string, label: string) => (
    <Button
      key={action}
      type="submit"
      name="do"
      value={action}
      size="sm"
      aria-label={`${label}: ${about}`}
      className="lg:h-9!"
      onClick={(event) => {
        event.preventDefault();
        onDo(action);
      }}
    >
      {label}
    </Button>
  );
  const isAppeal = report.kind === "appeal";
  const mayDecide = !report.isOwnCase;
  const decide = report.status === "pending" && mayDecide ? (isAppeal ? "Answer" : "Decide") : "Details";
  return (
    <form method="post" action="/admin/reports" className="flex shrink-0 flex-wrap content-start gap-2 lg:flex-nowrap lg:items-start">
      <input type="hidden" name="id" value={report.id} />
      {mayDecide && !isAppeal && report.status === "pending" && (
        <>
          {button("resolved", "Resolve")}
          {button("dismissed", "Dismiss")}
          {decisionsOn(report).includes("unpublish") && button("unpublish", "Unpublish")}
        </>
      )}
      {mayDecide && !isAppeal && report.status !== "pending" && button("pending", "Reopen")}
      <ButtonLink to={`/admin/reports/${report.id}`} size="sm" className="lg:h-9!" aria-label={`${decide}: ${about}`}>
        {decide}
      </ButtonLink>
    </form>
  );
}

import { useRoot } from "#app/shell/root-data.ts";
import { dateAndTime } from "#domain/dates.ts";
import { fullCount } from "#domain/format.ts";
import { isMemberFacing, type ModerationActionKind, moderationActionNames } from "#domain/moderation/moderation-action.ts";
import type { ListedModerationAction } from "#domain/moderation/notices.server.ts";
import { UndoButton } from "./undo-button.tsx";

const others: Partial<Record<ModerationActionKind, string>> = {
  publish: "Published a story",
  feature: "Featured a story",
  unfeature: "Unfeatured a story",
  pin: "Pinned a story",
  unpin: "Unpinned a story",
  likes: "Adjusted likes",
  views: "Changed views",
};

/** The decisions about a story or a member. */
export function ModerationHistory({ moderationActions }: { moderationActions: ListedModerationAction[] }) {
  const { now } = useRoot();
  return (
    <section className="mt-8">
      <h2 className="display text-t2">Decisions</h2>
      {moderationActions.length === 0 && <p className="mt-3 text-base text-ink-2">No decisions yet</p>}
      {moderationActions.length > 0 && (
        <ol className="mt-4 divide-y divide-line rounded-lg border border-line bg-raised">
          {moderationActions.map((action) => {
            const { id, kind, by, moderatorName, createdAt, endsAt, reason } = action;
            const name = isMemberFacing(kind) ? moderationActionNames[kind] : others[kind];
            return (
              <li key={id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-3.5 lg:px-5">
                <div className="min-w-0 flex-1 basis-72">
                  <p className="font-medium">
                    {name}
                    {by !== null && ` by ${by > 0 ? "+" : "−"}${fullCount(Math.abs(by))}`}
                  </p>
                  <p className="text-sm text-ink-2">
                    {moderatorName} · {dateAndTime(createdAt)}
                    {endsAt !== null && ` · until ${dateAndTime(endsAt)}`}
                  </p>
                  {reason && (
                    <p dir="auto" className="mt-1.5 whitespace-pre-line text-base [overflow-wrap:anywhere]">
                      {reason}
                    </p>
                  )}
                </div>
                <UndoButton moderationAction={action} about={`${name}, ${dateAndTime(createdAt)}`} now={now} />
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

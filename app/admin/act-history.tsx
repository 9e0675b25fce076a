import { useRoot } from "#app/shell/root-data.ts";
import { dateAndTime } from "#domain/dates.ts";
import { type ActKind, feltNames, isFelt } from "#domain/moderation/act.ts";
import type { ListedAct } from "#domain/moderation/notices.server.ts";
import { fullCount } from "#domain/wording.ts";
import { UndoButton } from "./undo-button.tsx";

const others: Partial<Record<ActKind, string>> = {
  publish: "Published a story",
  feature: "Featured a story",
  unfeature: "Unfeatured a story",
  pin: "Pinned a story",
  unpin: "Unpinned a story",
  likes: "Adjusted likes",
  views: "Changed views",
};

/** What was done to a story or a member: why, by whom, until when, and a way back. */
export function ActHistory({ acts }: { acts: ListedAct[] }) {
  const { now } = useRoot();
  return (
    <section className="mt-8">
      <h2 className="display text-t2">Decisions</h2>
      {acts.length === 0 && <p className="mt-3 text-base text-ink-2">No decisions yet</p>}
      {acts.length > 0 && (
        <ol className="mt-4 divide-y divide-line rounded-lg border border-line bg-raised">
          {acts.map((act) => (
            <li key={act.id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-3.5 lg:px-5">
              <div className="min-w-0 flex-1 basis-72">
                <p className="font-medium">
                  {isFelt(act.kind) ? feltNames[act.kind] : others[act.kind]}
                  {act.by !== null && ` by ${act.by > 0 ? "+" : "−"}${fullCount(Math.abs(act.by))}`}
                </p>
                <p className="text-sm text-ink-2">
                  {act.moderatorName} · {dateAndTime(act.createdAt)}
                  {act.endsAt !== null && ` · until ${dateAndTime(act.endsAt)}`}
                </p>
                {act.reason && <p className="mt-1.5 whitespace-pre-line text-base [overflow-wrap:anywhere]">{act.reason}</p>}
              </div>
              <UndoButton act={act} now={now} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

import { Form } from "react-router";
import { PostHtml } from "#app/posts/post-html.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { History, RotateCcw } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column } from "#app/ui/panel.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { fullCount } from "#domain/format.ts";
import type { Part, Passage } from "./compare-texts.ts";
import type { HistoryData, HistoryView } from "./load-history.server.ts";

type Props = { shown: HistoryData; back: string };

/** The versions of a post or working copy: a list, one of them as readers would see it, and the button that restores it. */
export function HistoryScreen({ shown: { versions, chosen }, back }: Props) {
  return (
    <div className={`${column} pt-8 pb-16 lg:pt-12 lg:pb-24`}>
      <div className="flex flex-wrap items-end justify-between gap-4 border-b border-line pb-6">
        <h1 className="display text-d1">History</h1>
        <ButtonLink to={back}>Back to the editor</ButtonLink>
      </div>
      {versions.length === 0 ? (
        <EmptyState art="calm" title="No earlier versions yet" text="We save earlier versions here as you write." className="py-14" />
      ) : (
        <div className="grid grid-cols-1 gap-x-12 gap-y-8 pt-8 lg:grid-cols-[300px_minmax(0,1fr)]">
          <VersionList versions={versions} chosen={chosen?.id} />
          {chosen && (
            <section aria-label="This version" className="min-w-0">
              <Form
                method="post"
                className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken px-4 py-2.5 text-sm text-ink-2"
              >
                <span>Restoring puts this version in the editor. The current version is saved here.</span>
                <input type="hidden" name="version" value={chosen.id} />
                <Button type="submit" size="sm" icon={RotateCcw}>
                  Restore
                </Button>
              </Form>
              <Views versions={versions} chosen={chosen} />
              <h2 dir="auto" className="display mb-6 text-d1">
                {chosen.title || "Untitled Post"}
              </h2>
              {chosen.view === "text" ? <PostHtml html={chosen.html} /> : <Changes {...chosen} />}
            </section>
          )}
        </div>
      )}
    </div>
  );
}

type ChosenVersion = NonNullable<HistoryData["chosen"]>;

function Views({ versions, chosen: { id, view } }: { versions: HistoryData["versions"]; chosen: ChosenVersion }) {
  const isOldest = versions.at(-1)?.id === id;
  return (
    <Segmented
      label="Show"
      className="mb-6 flex-wrap"
      value={view}
      segments={[
        { value: "text", label: "Text", to: `?version=${id}` },
        ...(isOldest ? [] : [{ value: "changes" as const, label: "Changes", to: `?version=${id}&show=changes` }]),
        { value: "since", label: "Compare with current", to: `?version=${id}&show=since` },
      ]}
    />
  );
}

const unchanged: Record<HistoryView, string> = {
  text: "",
  changes: "The text is the same as in the version before.",
  since: "The text is still the same.",
};

/** The changes of a version, or since it. */
function Changes({ passages, view }: { passages: Passage[]; view: HistoryView }) {
  if (passages.every(({ difference }) => difference === null)) return <p className="text-base text-ink-2">{unchanged[view]}</p>;
  return (
    <div className="flex max-w-read flex-col gap-2 font-reading text-lg leading-[1.65] [&_del]:bg-danger-soft [&_del]:text-danger [&_ins]:bg-success-soft [&_ins]:text-success [&_ins]:no-underline">
      {passages.map(({ difference, parts }, index) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
          key={index}
          className={classNames("whitespace-pre-wrap [unicode-bidi:plaintext]", difference === null && "text-ink-3")}
        >
          {difference === null
            ? surroundings(parts[0]?.text ?? "")
            : parts.map((part, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
                <Changed key={place} part={part} />
              ))}
        </p>
      ))}
    </div>
  );
}

function Changed({ part: { text, only } }: { part: Part }) {
  if (only === "before") return <del>{text}</del>;
  return only === "after" ? <ins>{text}</ins> : text;
}

/** Shows unchanged lines only next to a change. */
function surroundings(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 2 ? `${lines[0]}\n…\n${lines.at(-1)}` : lines.join("\n");
}

function describeLength(length: number, before: number | null | undefined): string {
  const growth = length - (before ?? length);
  const sign = growth > 0 ? "+" : "−";
  return `${fullCount(length)} characters${growth ? ` (${sign}${fullCount(Math.abs(growth))})` : ""}`;
}

function VersionList({ versions, chosen }: { versions: HistoryData["versions"]; chosen: string | undefined }) {
  const { now } = useRoot();
  return (
    <nav aria-label="Versions">
      <ol className="flex flex-col gap-1">
        {versions.map(({ id, title, by, createdAt, length }, index) => (
          <li key={id}>
            <Link
              to={`?version=${id}`}
              preventScrollReset
              aria-current={id === chosen ? "true" : undefined}
              className={classNames("block rounded-md px-3 py-2.5", id === chosen ? "bg-accent-soft" : "hover:bg-hover")}
            >
              <span className="flex items-center gap-2 text-base font-medium">
                <History aria-hidden className="size-4 shrink-0 text-ink-3" />
                <TimeAgo time={createdAt} now={now} />
              </span>
              <span className="num mt-0.5 block truncate text-sm text-ink-2">
                {[by, length !== null && describeLength(length, versions[index + 1]?.length), title].filter(Boolean).join(" · ")}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

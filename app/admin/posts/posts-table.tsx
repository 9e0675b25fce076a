import { type ReactNode, useEffect, useRef, useState } from "react";
import { useModeration } from "#app/admin/moderation/use-moderation.ts";
import { BulkBar } from "#app/admin/table/bulk-bar.tsx";
import { type Column, TableHead } from "#app/admin/table/table-head.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import type { AdminPost } from "#domain/moderation/posts/moderation.ts";
import { PostDialogs, type PostQuestion } from "./post-dialogs.tsx";
import { PostItem, PostRow } from "./post-row.tsx";

const columns: Column[] = [
  { label: "Details" },
  { label: "Likes", align: "right" },
  { label: "Views", align: "right" },
  { label: "Status" },
  { label: "Created" },
];

/** The stories as a table, as stacked rows on narrow screens, with the bar of what can be done to those that are ticked. */
export function PostsTable({ posts, children }: { posts: AdminPost[]; children: ReactNode }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [question, setQuestion] = useState<PostQuestion | null>(null);
  const { moderate, busy, answer } = useModeration("/admin/posts");
  const [bulk, setBulk] = useState<{ asked: boolean; done: number; last: unknown }>({ asked: false, done: 0, last: undefined });
  // What was ticked, and why, stays until it is done.
  if (bulk.asked && answer && answer !== bulk.last) {
    setBulk({ asked: false, done: bulk.done + (answer.tone === "success" ? 1 : 0), last: answer });
    if (answer.tone === "success") setTicked(new Set());
  }
  const table = useRef<HTMLDivElement>(null);
  // The bar with the button that was pressed is gone.
  useEffect(() => {
    if (bulk.done > 0) table.current?.focus();
  }, [bulk.done]);
  // Those that are on the page still.
  const chosen = posts.filter(({ id }) => ticked.has(id));
  const tick = (id: string, on: boolean) => setTicked(new Set(on ? [...ticked, id] : [...ticked].filter((each) => each !== id)));
  const all = chosen.length === posts.length;
  const rows = posts.map((post) => ({
    post,
    chosen: ticked.has(post.id),
    onTick: (on: boolean) => tick(post.id, on),
    onDo: (action: string) => void (busy || moderate({ do: action, ids: post.id })),
    onAsk: (kind: PostQuestion["kind"]) => setQuestion({ kind, post }),
  }));
  const runBulk = (action: string, how: { reason: string; release: string[] }) => {
    setBulk({ ...bulk, asked: true, last: answer });
    return moderate({ bulk: action, ids: chosen.map(({ id }) => id), ...how });
  };
  const tickAll = (
    <Checkbox
      label="Select all on this page"
      checked={all}
      mixed={chosen.length > 0 && !all}
      onChange={() => setTicked(new Set(all ? [] : posts.map(({ id }) => id)))}
    />
  );
  return (
    <div
      ref={table}
      tabIndex={-1}
      className="group/posts relative mt-4 overflow-hidden rounded-lg border border-line bg-raised outline-none"
      aria-busy={busy}
    >
      <form id="bulk" method="post" action="/admin/posts" />
      <BulkBar key={bulk.done} chosen={chosen} busy={busy} onRun={runBulk} onClear={() => setTicked(new Set())} />
      <table className="hidden w-full text-base lg:table">
        <caption className="sr-only">Posts</caption>
        <TableHead columns={[{ label: tickAll, className: "w-12" }, ...columns]} />
        <tbody>
          {rows.map((row) => (
            <PostRow key={row.post.id} {...row} />
          ))}
        </tbody>
      </table>
      <ul className="lg:hidden">
        {rows.map((row) => (
          <PostItem key={row.post.id} {...row} />
        ))}
      </ul>
      {children}
      <PostDialogs
        key={`${question?.kind} ${question?.post.id}`}
        question={question}
        onClose={() => setQuestion(null)}
        moderate={moderate}
      />
    </div>
  );
}

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useModeration } from "#app/admin/moderation/use-moderation.tsx";
import { BulkBar } from "#app/admin/table/bulk-bar.tsx";
import { type Column, ListTable } from "#app/admin/table/list-table.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import type { AdminPost } from "#domain/moderation/posts/moderation.ts";
import { PostDialog, type PostQuestion } from "./post-dialogs.tsx";
import { PostItem, PostRow } from "./post-row.tsx";

const columns: Column[] = [
  { label: "Details" },
  { label: "Likes", align: "right" },
  { label: "Views", align: "right" },
  { label: "Status" },
  { label: "Created" },
];

export function PostsTable({ posts, children }: { posts: AdminPost[]; children: ReactNode }) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [question, setQuestion] = useState<PostQuestion | null>(null);
  const [bulkActions, setBulkActions] = useState(0);
  const { moderate, busy } = useModeration("/admin/posts");
  const table = useRef<HTMLDivElement>(null);
  // A finished bulk action clears the selection, which hides the bar with the focused button.
  useEffect(() => {
    if (bulkActions > 0) table.current?.focus();
  }, [bulkActions]);
  // Checked posts that are still on the page.
  const selected = posts.filter(({ id }) => checked.has(id));
  const all = selected.length === posts.length;
  const check = (id: string, on: boolean) => setChecked(new Set(on ? [...checked, id] : [...checked].filter((each) => each !== id)));
  const clear = () => setChecked(new Set());
  const rows = posts.map((post) => ({
    post,
    selected: checked.has(post.id),
    onSelect: (on: boolean) => check(post.id, on),
    onRun: (action: string) => void (busy || moderate({ do: action, ids: post.id })),
    onAsk: (kind: PostQuestion["kind"]) => setQuestion({ kind, post }),
  }));
  const selectAll = {
    label: "Select all on this page",
    checked: all,
    mixed: selected.length > 0 && !all,
    onChange: () => setChecked(new Set(all ? [] : posts.map(({ id }) => id))),
  };
  return (
    <div
      ref={table}
      tabIndex={-1}
      className="group/posts relative mt-4 overflow-hidden rounded-lg border border-line bg-raised outline-none"
      aria-busy={busy}
    >
      <form id="bulk" method="post" action="/admin/posts" />
      <BulkBar
        selected={selected}
        onClear={clear}
        onDone={() => {
          clear();
          setBulkActions(bulkActions + 1);
        }}
      />
      <label
        htmlFor="select-all"
        className="flex min-h-11 items-center gap-3 border-b border-line px-4 text-sm text-ink-2 lg:hidden noscript:hidden"
      >
        <Checkbox id="select-all" {...selectAll} />
        Select all
      </label>
      <ListTable
        caption="Posts"
        columns={[{ label: <Checkbox {...selectAll} />, className: "w-12" }, ...columns]}
        rows={rows.map((row) => <PostRow key={row.post.id} {...row} />)}
        items={rows.map((row) => <PostItem key={row.post.id} {...row} />)}
      />
      {children}
      {question && <PostDialog key={`${question.kind} ${question.post.id}`} {...question} onClose={() => setQuestion(null)} />}
    </div>
  );
}

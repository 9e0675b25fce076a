import { useState } from "react";
import { ModerationDialog } from "#app/admin/moderation/moderation-dialog.tsx";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { bulkQuestion, type HiddenPost } from "#app/admin/posts/post-moderation.ts";
import { classNames } from "#app/ui/class-names.ts";
import { CircleCheck, CircleX, Star, Trash2 } from "#app/ui/icons.tsx";
import { actionsWithReason } from "#domain/moderation/posts/moderation.ts";

const actions = [
  { value: "publish", label: "Publish", icon: CircleCheck },
  { value: "unpublish", label: "Unpublish", icon: CircleX },
  { value: "feature", label: "Feature", icon: Star },
  { value: "delete", label: "Delete", icon: Trash2 },
];

type BulkBarProps = { selected: HiddenPost[]; onDone: () => void; onClear: () => void };

/** Without JavaScript its buttons post the checked boxes, and the page asks for confirmation. */
export function BulkBar({ selected, onDone, onClear }: BulkBarProps) {
  const [openAction, setOpenAction] = useState<string | null>(null);
  const hidden = selected.filter(({ held }) => held !== null);
  return (
    <div className="hidden flex-wrap items-center gap-2 bg-inverse px-4 py-2.5 text-on-inverse group-has-[input[name=ids]:checked]/posts:flex lg:px-5 dark:bg-hover dark:text-ink">
      <span className="num mr-2 text-base font-medium" aria-live="polite">
        {selected.length > 0 ? `${selected.length} selected` : "Selected"}
      </span>
      {actions.map(({ value, label, icon: IconComponent }) => (
        <button
          key={value}
          type="submit"
          form="bulk"
          name="bulk"
          value={value}
          onClick={(event) => {
            event.preventDefault();
            setOpenAction(value);
          }}
          className={classNames(
            "inline-flex h-9 items-center gap-2 rounded-md px-3 text-sm font-medium max-lg:h-11",
            value === "delete"
              ? "bg-danger-fill text-on-danger hover:bg-danger-fill-hover"
              : "border border-current/25 hover:bg-current/10",
          )}
        >
          <IconComponent aria-hidden className="size-4 shrink-0" />
          {label}
        </button>
      ))}
      <span className="flex-1" />
      <button type="button" onClick={onClear} className="h-9 px-3 text-sm font-medium underline underline-offset-4 max-lg:h-11">
        Clear
      </button>
      {openAction !== null && (
        <ModerationDialog
          {...bulkQuestion(openAction, selected.length, hidden)}
          danger={openAction === "delete"}
          action="/admin/posts"
          fields={{ bulk: openAction, ids: selected.map(({ id }) => id), release: hidden.map(({ id }) => id) }}
          onDone={onDone}
          onClose={() => setOpenAction(null)}
        >
          {actionsWithReason.includes(openAction) ? (error) => <ReasonField error={error} required autoFocus /> : undefined}
        </ModerationDialog>
      )}
    </div>
  );
}

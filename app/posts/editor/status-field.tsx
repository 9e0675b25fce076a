import { FieldError } from "#app/ui/field.tsx";
import type { PostStatus } from "#domain/posts/post.ts";

const choices: { value: PostStatus; label: string; note: string }[] = [
  { value: "active", label: "Published", note: "Visible to all" },
  { value: "inactive", label: "Draft", note: "Only visible to you" },
];

type Props = { value: PostStatus; onChange: (status: PostStatus) => void; error: string | undefined };

export function StatusField({ value, onChange, error }: Props) {
  return (
    <fieldset className="rounded-lg border border-line bg-raised p-5">
      <legend className="float-left mb-3 text-sm font-semibold">Status</legend>
      <div className="clear-both grid grid-cols-2 gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="cursor-pointer rounded-md border border-line-strong p-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <span className="flex items-center gap-2 text-base font-medium">
              <input
                type="radio"
                name="status"
                value={choice.value}
                checked={value === choice.value}
                onChange={() => onChange(choice.value)}
                className="size-4 accent-accent outline-none"
              />
              {choice.label}
            </span>
            <span className="mt-1 block text-sm text-ink-2">{choice.note}</span>
          </label>
        ))}
      </div>
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

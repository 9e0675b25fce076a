import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";
import { Link, type To } from "./link.tsx";

type Segment<Value extends string> = { value: Value; label: string; icon?: Icon | undefined; to?: To | undefined };

type SegmentedProps<Value extends string> = {
  label: string;
  segments: readonly Segment<Value>[];
  value: Value;
  name?: string | undefined;
  onChange?: ((value: Value) => void) | undefined;
  className?: string | undefined;
};

export function Segmented<Value extends string>({ label, segments, value, name, onChange, className }: SegmentedProps<Value>) {
  return (
    <fieldset className={classNames("inline-flex gap-0.5 rounded-md bg-sunken p-1 max-lg:p-0.5", className)}>
      <legend className="sr-only">{label}</legend>
      {segments.map(({ icon: IconComponent, ...segment }) => {
        const current = segment.value === value;
        const itemClass = classNames(
          "inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap rounded-sm px-3 text-sm font-medium max-lg:h-11",
          current ? "bg-raised text-ink shadow-sm dark:bg-hover" : "text-ink-2 hover:text-ink",
        );
        const content = (
          <>
            {IconComponent && <IconComponent aria-hidden className="size-4 shrink-0" />}
            {segment.label}
          </>
        );
        if (segment.to !== undefined)
          return (
            <Link key={segment.value} to={segment.to} preventScrollReset aria-current={current ? "true" : undefined} className={itemClass}>
              {content}
            </Link>
          );
        return (
          <button
            key={segment.value}
            type={name ? "submit" : "button"}
            {...(name ? { name, value: segment.value } : {})}
            aria-pressed={current}
            onClick={onChange && (() => onChange(segment.value))}
            className={itemClass}
          >
            {content}
          </button>
        );
      })}
    </fieldset>
  );
}

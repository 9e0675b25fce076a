import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import { classNames } from "./class-names.ts";
import type { Icon } from "./icon.ts";
import { CircleAlert, Lock, Search } from "./icons.tsx";

type FieldIds = { id: string; describedBy: string | undefined; invalid: boolean };

const FieldContext = createContext<FieldIds | null>(null);

type FieldProps = {
  label: ReactNode;
  /** The control's id; hint and error get `{id}-description` and `{id}-error`. */
  id?: string | undefined;
  hint?: ReactNode;
  error?: string | null | undefined;
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

export function Field({ label, id: given, hint, error, aside, className, children }: FieldProps) {
  const generatedId = useId();
  const id = given ?? generatedId;
  const describedBy = [hint && `${id}-description`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>
      <div className={className}>
        <span className="mb-1.5 flex items-center justify-between gap-3 text-sm">
          <label htmlFor={id} className="font-medium text-ink">
            {label}
          </label>
          {aside}
        </span>
        {children}
        {hint && (
          <p id={`${id}-description`} className="mt-1.5 text-sm text-ink-2">
            {hint}
          </p>
        )}
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
    </FieldContext>
  );
}

export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="mt-1.5 flex items-start gap-1.5 text-sm whitespace-pre-line text-danger">
      <CircleAlert aria-hidden className="mt-[3px] size-3.5 shrink-0" />
      {children}
    </p>
  );
}

/** Attributes that connect a control with the label, hint and error of its `Field`. */
export function useFieldProps() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return { id: field.id, "aria-describedby": field.describedBy, "aria-invalid": field.invalid || undefined };
}

type TextInputProps = ComponentProps<"input"> & {
  leading?: Icon | undefined;
  trailing?: ReactNode;
};

export function TextInput({ leading: Leading, trailing, className, ...rest }: TextInputProps) {
  const end = trailing ?? (rest.readOnly ? <Lock aria-hidden className="mx-3 size-4 shrink-0 text-ink-3" /> : null);
  return (
    <span className="relative flex">
      {Leading && (
        <span aria-hidden className="pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-ink-3">
          <Leading className="size-4 shrink-0" />
        </span>
      )}
      <input
        {...useFieldProps()}
        {...rest}
        className={classNames("text-input h-11", Leading ? "pl-10" : "pl-3.5", end ? "pr-12" : "pr-3.5", className)}
      />
      {end && <span className="absolute inset-y-0 right-1 flex items-center">{end}</span>}
    </span>
  );
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea dir="auto" {...useFieldProps()} {...rest} className={classNames("text-input min-h-28 px-3.5 py-2.5", className)} />;
}

type SearchInputProps = Omit<ComponentProps<"input">, "type" | "size"> & {
  /** Accessible name; by default the placeholder. */
  label?: string | undefined;
  quiet?: boolean | undefined;
  size?: "md" | "lg" | undefined;
};

export function SearchInput({ label, quiet, size = "md", className, ...rest }: SearchInputProps) {
  return (
    <label className={classNames("relative block", className)}>
      <span className="sr-only">{label ?? rest.placeholder}</span>
      <span aria-hidden className="absolute inset-y-0 left-3 flex items-center text-ink-3">
        <Search className="size-4 shrink-0" />
      </span>
      <input
        {...rest}
        type="search"
        className={classNames("text-input pr-3 pl-9", size === "lg" ? "h-12" : "h-10 max-lg:h-11", quiet && "quiet")}
      />
    </label>
  );
}

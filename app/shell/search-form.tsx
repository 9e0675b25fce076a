import type { FormEvent } from "react";
import { Form } from "react-router";
import { SearchInput } from "#app/ui/field.tsx";
import { useRoot } from "./root-data.ts";

type SearchFormProps = { quiet?: boolean; size?: "md" | "lg"; className?: string | undefined };

/** Members search all stories, visitors the preview on the landing page. */
export function SearchForm({ quiet = false, size = "md", className }: SearchFormProps) {
  const { viewer, search } = useRoot();
  const action = viewer ? "/all-posts" : "/#stories";
  return (
    <Form method="get" action={action} role="search" className={className} onSubmit={dropEmptyTerm}>
      {/* The key renews the field when the term changes elsewhere. */}
      <SearchInput key={search} name="q" defaultValue={search} placeholder="Search posts..." quiet={quiet} size={size} maxLength={200} />
    </Form>
  );
}

/** An empty search shows everything, under an address without `?q=`. */
function dropEmptyTerm(event: FormEvent<HTMLFormElement>) {
  const field = event.currentTarget.elements.namedItem("q") as HTMLInputElement;
  field.disabled = field.value.trim() === "";
  requestAnimationFrame(() => {
    field.disabled = false;
  });
}

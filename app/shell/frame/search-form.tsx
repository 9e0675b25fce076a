import type { FormEvent } from "react";
import { Form } from "react-router";
import { SearchBox } from "#app/search/search-box.tsx";
import { useRoot } from "#app/shell/root-data.ts";

type SearchFormProps = { quiet?: boolean; size?: "md" | "lg"; className?: string | undefined };

/** Members search all stories, visitors the preview on the landing page. */
export function SearchForm({ quiet = false, size = "md", className }: SearchFormProps) {
  const { viewer, search } = useRoot();
  const action = viewer ? "/all-posts" : "/#stories";
  return (
    <Form method="get" action={action} role="search" className={className} onSubmit={dropEmptyTerm}>
      <SearchBox term={search} quiet={quiet} size={size} />
    </Form>
  );
}

function dropEmptyTerm(event: FormEvent<HTMLFormElement>) {
  const field = event.currentTarget.elements.namedItem("q") as HTMLInputElement;
  field.disabled = field.value.trim() === "";
  requestAnimationFrame(() => {
    field.disabled = false;
  });
}

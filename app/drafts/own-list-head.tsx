import { Form } from "react-router";
import { useFilterForm } from "#app/search/filter-form.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { SearchInput } from "#app/ui/field.tsx";
import { Plus } from "#app/ui/icons.tsx";

type Props = {
  title: string;
  count: string;
  tab: "posts" | "drafts";
  search: string;
  placeholder: string;
  newLabel: string;
  isEmpty: boolean;
};

export function OwnListHead({ title, count, tab, search, placeholder, newLabel, isEmpty }: Props) {
  const filterForm = useFilterForm({ find: search });
  return (
    <div className="flex flex-wrap items-end justify-between gap-4 border-b border-line pb-6">
      <div>
        <h2 className="display text-t3">{title}</h2>
        <p className="num mt-1 text-base text-ink-2">{count}</p>
      </div>
      <div className="flex gap-2 max-sm:w-full">
        {!isEmpty && (
          <Form {...filterForm} action="/profile" role="search" aria-label={title} preventScrollReset className="min-w-0 max-sm:flex-1">
            <input type="hidden" name="tab" value={tab} />
            <SearchInput name="find" defaultValue={search} placeholder={placeholder} maxLength={200} className="sm:w-72" />
          </Form>
        )}
        <ButtonLink to={tab === "drafts" ? "/add-post?new=draft" : "/add-post?new"} variant="primary" icon={Plus} className="shrink-0">
          {newLabel}
        </ButtonLink>
      </div>
    </div>
  );
}

import { Form, useNavigation } from "react-router";
import { useFilterForm } from "#app/search/filter-form.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { SearchInput } from "#app/ui/field.tsx";
import { HiddenFields } from "#app/ui/hidden-fields.tsx";
import { Select } from "#app/ui/select.tsx";

/** Labels by value. */
export function optionsOf(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

type ListFiltersProps = {
  action: string;
  /** For screen readers. */
  label: string;
  chosen: Record<string, string>;
  searches?: { name: string; placeholder: string; maxLength?: number; className?: string }[];
  selects: { name: string; label: string; options: readonly { value: string; label: string }[]; className?: string }[];
  /** The label of a visible button. By default only browsers without JavaScript get one. */
  button?: string;
  hidden?: Record<string, string>;
  className?: string;
};

/** The filters are in the URL. Changing one returns to page 1. */
export function ListFilters({ action, label, chosen, searches = [], selects, button, hidden = {}, className }: ListFiltersProps) {
  const busy = useNavigation().location?.pathname === action;
  return (
    <Form
      {...useFilterForm(chosen)}
      method="get"
      action={action}
      role="search"
      aria-label={label}
      className={classNames("flex flex-wrap gap-3", className)}
    >
      <HiddenFields fields={hidden} />
      {searches.map(({ name, placeholder, maxLength = 200, className: width = "min-w-full flex-1 sm:min-w-60" }) => (
        <SearchInput key={name} {...{ name, placeholder, maxLength }} defaultValue={chosen[name]} className={width} />
      ))}
      {selects.map(({ name, label: selectLabel, options, className: width = "w-full sm:w-44" }) => (
        <Select key={name} {...{ name, options }} label={selectLabel} defaultValue={chosen[name]} className={width} />
      ))}
      {button ? (
        <Button type="submit" busy={busy}>
          {button}
        </Button>
      ) : (
        <noscript>
          <Button type="submit">Apply</Button>
        </noscript>
      )}
    </Form>
  );
}

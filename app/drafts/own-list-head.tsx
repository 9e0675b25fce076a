import { Plus, Search } from "lucide-react";
import { Form } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = { title: string; count: string; tab: "posts" | "drafts"; search: string; placeholder: string; newLabel: string };

export function OwnListHead({ title, count, tab, search, placeholder, newLabel }: Props) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-4 border-b border-line pb-6">
      <div>
        <h2 className="display text-t3">{title}</h2>
        <p className="num mt-1 text-base text-ink-2">{count}</p>
      </div>
      <div className="flex gap-2 max-sm:w-full [&>form]:min-w-0">
        <Form action="/profile" className="relative max-sm:w-full" preventScrollReset>
          <input type="hidden" name="tab" value={tab} />
          <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-ink-3" />
          <input
            type="search"
            name="find"
            key={search}
            defaultValue={search}
            placeholder={placeholder}
            aria-label={placeholder}
            className="h-10 w-full rounded-md border border-control bg-raised pr-3 pl-9 text-base outline-none focus:border-ink focus:outline-2 focus:outline-offset-0 focus:outline-accent max-lg:h-11 sm:w-72"
          />
        </Form>
        <ButtonLink
          to={tab === "drafts" ? "/add-post?new=draft" : "/add-post?new"}
          variant="primary"
          icon={Plus}
          className="shrink-0 max-lg:h-11!"
        >
          {newLabel}
        </ButtonLink>
      </div>
    </div>
  );
}

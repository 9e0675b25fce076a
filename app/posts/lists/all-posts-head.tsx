import { useId, useState } from "react";
import { Form, useLocation, useRevalidator, useSubmit } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { BookOpen, ChevronDown, ChevronUp, Eye, Heart, LayoutGrid, List, RefreshCw, SlidersHorizontal, Users } from "#app/ui/icons.tsx";
import { Panel, Stats } from "#app/ui/panel.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { Select } from "#app/ui/select.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { fullCount, shortCount } from "#domain/format.ts";
import { maxCountedMatches, postSorts, sortLabels } from "#domain/search/post-sorts.ts";
import type { Route } from "./+types/all-posts-page.ts";

type PageData = Route.ComponentProps["loaderData"];
type HeadProps = { page: PageData; shown: number; refresh: () => void };

export function AllPostsHead({ page, shown, refresh }: HeadProps) {
  const [filtersOpen, setFiltersOpen] = useState(page.filters);
  const { stats } = page;
  const { likes } = useRoot().site.features;
  const loading = useRevalidator().state === "loading";
  const writers = `${fullCount(stats.writers)} ${stats.writers === 1 ? "writer" : "writers"}`;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="min-w-0">
          <div className="mb-2 flex items-center gap-3">
            <LiveBadge />
            <span className="num text-base text-ink-2">{writers}</span>
          </div>
          <h1 className="display text-d1 font-[480]! lg:text-d3">All Stories</h1>
          <p className="num mt-2 [overflow-wrap:anywhere] text-md text-ink-2">
            <ShownCount page={page} shown={shown} />
          </p>
        </div>
        <div className="flex items-center gap-2">
          <ButtonLink
            to={useListUrl({})}
            icon={loading ? Spinner : RefreshCw}
            aria-busy={loading || undefined}
            onClick={(event) => {
              event.preventDefault();
              refresh();
            }}
          >
            Refresh
          </ButtonLink>
          <FiltersToggle open={filtersOpen} toggle={() => setFiltersOpen(!filtersOpen)} />
        </div>
      </div>
      <Stats
        className="mt-8"
        stats={[
          { label: "Total Stories", value: shortCount(stats.posts), icon: BookOpen },
          { label: "Total Views", value: shortCount(stats.views), icon: Eye },
          ...(likes ? [{ label: "Total Likes", value: shortCount(stats.likes), icon: Heart }] : []),
          { label: "Authors", value: shortCount(stats.writers), icon: Users },
        ]}
      />
      {filtersOpen && <Filters page={page} />}
    </>
  );
}

function FiltersToggle({ open, toggle }: { open: boolean; toggle: () => void }) {
  const url = useListUrl({ filters: open ? null : "open" });
  const linkLook = {
    variant: open ? "soft" : "secondary",
    icon: SlidersHorizontal,
    iconAfter: open ? ChevronUp : ChevronDown,
    className: open ? "border border-control" : "",
  } as const;
  if (!useHydrated())
    return (
      <ButtonLink to={url} {...linkLook}>
        Filters
      </ButtonLink>
    );
  return (
    <Button aria-expanded={open} onClick={toggle} {...linkLook}>
      Filters
    </Button>
  );
}

function LiveBadge() {
  return (
    <span className="inline-flex h-7 items-center gap-2 rounded-full border border-line-strong pr-2.5 pl-2.5 text-sm font-medium text-ink-2">
      <span aria-hidden className="relative flex size-2">
        <span className="absolute inset-0 scale-175 rounded-full bg-accent opacity-40" />
        <span className="relative size-2 rounded-full bg-accent" />
      </span>
      Live
    </span>
  );
}

function ShownCount({ page: { stats, matches, sort }, shown }: { page: PageData; shown: number }) {
  const { search } = useRoot();
  const all = `Showing ${fullCount(shown)} of ${totalText(stats.posts)}`;
  if (matches === null) return search ? `“${search}” doesn’t contain a word to search for. ${all}` : all;
  const many = matches >= maxCountedMatches;
  return (
    <>
      {matches === 0
        ? "No stories match"
        : `Showing ${shown} of ${many ? `at least ${totalText(maxCountedMatches)}` : totalText(matches)} that ${matches === 1 ? "matches" : "match"}`}{" "}
      <span className="font-medium text-ink">“{search}”</span>
      {many && sort !== "newest" && sort !== "oldest" && `, sorted within the newest ${fullCount(maxCountedMatches)} matches`}
    </>
  );
}

function totalText(posts: number): string {
  return `${fullCount(posts)} ${posts === 1 ? "story" : "stories"}`;
}

function useListUrl(changes: Record<string, string | null>): string {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete("after");
  for (const [name, value] of Object.entries(changes)) value === null ? query.delete(name) : query.set(name, value);
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

function Filters({ page: { sort, view } }: { page: PageData }) {
  const { search } = useRoot();
  const submit = useSubmit();
  const chosenView = new URLSearchParams(useLocation().search).get("view");
  const id = useId();
  const hydrated = useHydrated();
  const sorts = search ? (["best", ...postSorts] as const) : postSorts;
  return (
    <Panel className="mt-4 flex flex-wrap items-end gap-x-8 gap-y-4 p-4 sm:px-6 sm:py-5">
      <Form
        method="get"
        className="flex items-end gap-2 max-sm:w-full"
        onChange={({ currentTarget }) => submit(currentTarget, { preventScrollReset: true })}
      >
        {search && <input type="hidden" name="q" value={search} />}
        <input type="hidden" name="filters" value="open" />
        {chosenView && <input type="hidden" name="view" value={chosenView} />}
        <div className="flex-1 sm:w-60">
          <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
            Sort by
          </label>
          <Select
            id={id}
            name="sort"
            key={sort}
            defaultValue={sort}
            options={sorts.map((value) => ({ value, label: sortLabels[value] }))}
            className="w-full"
          />
        </div>
        {!hydrated && <Button type="submit">Apply</Button>}
      </Form>
      <div>
        <span aria-hidden className="mb-1.5 block text-sm font-medium">
          View
        </span>
        <Segmented
          label="View"
          value={view}
          segments={[
            { value: "grid", label: "Grid", icon: LayoutGrid, to: useListUrl({ view: "grid", filters: "open" }) },
            { value: "list", label: "List", icon: List, to: useListUrl({ view: "list", filters: "open" }) },
          ]}
        />
      </div>
    </Panel>
  );
}

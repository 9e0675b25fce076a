import { useRoot } from "#app/shell/root-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { UserPlus } from "#app/ui/icons.tsx";
import { fullCount, shortCount } from "#domain/format.ts";
import { maxCountedMatches } from "#domain/search/post-sorts.ts";
import type { Route } from "./+types/all-posts-page.ts";

type PageData = Route.ComponentProps["loaderData"];

export function BrowsingFooter({ page: { stats, matches }, shown }: { page: PageData; shown: number }) {
  const total = Math.max(shown, matches ?? stats.posts);
  const more = matches !== null && matches >= maxCountedMatches ? "more than " : "";
  return (
    <section className="mt-16 grid gap-x-12 gap-y-8 border-t-2 border-ink pt-6 lg:grid-cols-12 dark:border-line-strong">
      <div className="lg:col-span-5">
        <h2 className="display text-t3">Browsing statistics</h2>
        <p className="num mt-2 text-base text-ink-2">
          You have seen {fullCount(shown)} of {more}
          {fullCount(total)} {total === 1 ? "story" : "stories"} on this page.
        </p>
        <progress aria-label="Stories seen" value={shown} max={total} className="mt-4 h-2 w-full bg-sunken" />
        <div className="num mt-3 flex justify-between text-sm text-ink-3">
          <span>{fullCount(shown)} shown</span>
          <span>
            {more}
            {fullCount(total - shown)} to go
          </span>
        </div>
      </div>
      <div className="lg:col-span-7">
        <h2 className="display text-t3">Community insights</h2>
        <dl className="mt-4 grid gap-x-8 gap-y-4 sm:grid-cols-3">
          <Insight label="Average views per story" value={average(stats.views, stats.posts)} />
          <Insight label="Average likes per story" value={average(stats.likes, stats.posts)} />
          <Insight label="Stories per author" value={average(stats.posts, stats.writers)} />
        </dl>
      </div>
    </section>
  );
}

function average(sum: number, count: number): string {
  const mean = count === 0 ? 0 : sum / count;
  return mean < 10 ? mean.toFixed(1) : shortCount(Math.round(mean));
}

function Insight({ label, value }: { label: string; value: string }) {
  return (
    <div className="border-t border-line pt-3">
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className="display num mt-1 text-t3">{value}</dd>
    </div>
  );
}

export function NoPostsYet({ search }: { search: string }) {
  const { viewer } = useRoot();
  if (search)
    return (
      <EmptyState art="search" title={`No stories found for “${search}”`} className="[overflow-wrap:anywhere]">
        <ButtonLink to="/all-posts">Clear Search</ButtonLink>
        <ButtonLink to="/">Browse All</ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState art="write" title="No stories yet">
      <ButtonLink to="/add-post" variant="primary">
        Share Your Story
      </ButtonLink>
      {viewer && <ButtonLink to="/profile">My Profile</ButtonLink>}
    </EmptyState>
  );
}

export function JoinOurCommunity() {
  if (!useRoot().site.registrationOpen) return null;
  return (
    <ButtonLink
      to="/signup"
      variant="primary"
      icon={UserPlus}
      className="fixed right-5 bottom-5 z-(--z-fab) h-12! rounded-full! px-5! shadow-md"
    >
      Join Our Community
    </ButtonLink>
  );
}

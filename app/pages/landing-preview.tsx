import { FeaturedBlock, PinnedPost } from "#app/posts/lists/featured-block.tsx";
import { PostCard } from "#app/posts/lists/post-card.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import type { SpotName } from "#app/ui/art/spot.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Eye } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { type Tab, Tabs } from "#app/ui/tabs.tsx";
import { landingLimits } from "#domain/pages/landing.ts";
import type { PostCard as Post } from "#domain/posts/post.ts";
import { maxCountedMatches } from "#domain/search/post-sorts.ts";
import type { LandingData, LandingTab } from "./landing-data.server.ts";

export function LandingPreview(data: LandingData) {
  return (
    <section id="stories" className={`${column} scroll-mt-6`}>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-t-2 border-ink pt-6 dark:border-line-strong">
        <h2 className="display text-d1 lg:text-d2">From the front porch</h2>
        <Badge tone="accent" icon={Eye} className="h-7! px-2.5!">
          Preview Mode
        </Badge>
      </div>
      <Tabs label="Stories" tabs={useTabs(data)} className="mt-6" />
      <div className="mt-10">
        <PostPanel {...data} />
      </div>
      {data.count > landingLimits.latest && <Upsell fading={data.fading} count={data.count} />}
    </section>
  );
}

function useTabs({ tab, featured, pinned, anyPinned }: LandingData): Tab[] {
  const { search } = useRoot();
  const to = (tab: LandingTab) => ({ search: `?${new URLSearchParams({ tab, ...(search ? { q: search } : {}) })}`, hash: "" });
  const tabs: Tab[] = [
    { to: to("featured"), label: "Featured Stories", count: featured.length, current: tab === "featured" },
    { to: to("latest"), label: "Latest Stories", current: tab === "latest" },
  ];
  if (anyPinned || tab === "pinned") tabs.push({ to: to("pinned"), label: "Pinned", count: pinned.length, current: tab === "pinned" });
  return tabs;
}

function PostPanel({ tab, featured, latest, pinned, matches }: LandingData) {
  if (tab === "featured")
    return featured.length > 0 ? <FeaturedBlock posts={featured} /> : <NothingHere title="No Featured Stories Yet" art="read" />;
  if (tab === "pinned")
    return pinned.length > 0 ? (
      <div className="grid gap-4 md:grid-cols-3 lg:gap-6">
        {pinned.map((post) => (
          <PinnedPost key={post.id} post={post} />
        ))}
      </div>
    ) : (
      <NothingPinned />
    );
  if (latest.length === 0) return <NothingHere title="No stories available" art="write" />;
  return (
    <>
      <div className="grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
        {latest.map((post) => (
          <PostCard key={post.id} post={post} />
        ))}
      </div>
      {matches !== null && <Matches shown={latest.length} matches={matches} />}
    </>
  );
}

function NothingPinned() {
  const { search } = useRoot();
  return (
    <EmptyState art="pin" title="No Pinned Stories" heading="h3">
      {search && (
        <ButtonLink to="/?tab=pinned" preventScrollReset>
          Clear Search
        </ButtonLink>
      )}
    </EmptyState>
  );
}

function NothingHere({ title, art }: { title: string; art: SpotName }) {
  const { search } = useRoot();
  if (!search) return <EmptyState art={art} title={title} heading="h3" />;
  return (
    <EmptyState art="search" title="No matching stories found" heading="h3">
      <ButtonLink to="/?tab=latest" preventScrollReset>
        Clear Search
      </ButtonLink>
    </EmptyState>
  );
}

/** A link to all results if visitors may see them, otherwise their count. */
function Matches({ shown, matches }: { shown: number; matches: number }) {
  const { search, site } = useRoot();
  if (site.listingPublic)
    return (
      <div className="mt-12 text-center">
        <ButtonLink to={`/all-posts?${new URLSearchParams({ q: search })}`} size="lg">
          See all results
        </ButtonLink>
      </div>
    );
  const all = matches >= maxCountedMatches ? `at least ${maxCountedMatches}` : String(matches);
  return (
    <p className="num mt-12 text-center text-base text-ink-2 [overflow-wrap:anywhere]">
      Showing {shown} of {all} {matches === 1 ? "story that matches" : "stories that match"} “{search}”
    </p>
  );
}

function Upsell({ fading, count }: { fading: Post[]; count: number }) {
  const { registrationOpen } = useRoot().site;
  return (
    <div className="relative mt-20">
      {fading.length > 0 && (
        <div aria-hidden className="relative max-h-64 overflow-hidden pb-4">
          <div className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
            {fading.map((post, index) => (
              <Picture
                key={post.id}
                file={post.featuredImage}
                placeholder=""
                sizes="(min-width: 64rem) 392px, (min-width: 40rem) 46vw, 92vw"
                className={["rounded-lg", "rounded-lg max-sm:hidden", "rounded-lg max-lg:hidden"][index]}
              />
            ))}
          </div>
          <div className="absolute inset-0 bg-linear-to-b from-paper/10 via-paper/75 via-55% to-paper to-90%" />
        </div>
      )}
      <div className="relative -mt-4 pb-4 text-center">
        <h3 className="display text-t3">There is a lot more on the shelf.</h3>
        {registrationOpen ? (
          <>
            <p className="mt-2 text-md text-ink-2">Create an account to save the stories you love and write your own.</p>
            <ButtonLink to="/signup" variant="primary" size="lg" className="mt-6 max-w-full">
              Join Free - Read All {count} Stories
            </ButtonLink>
          </>
        ) : (
          <p className="mt-2 text-md text-ink-2">Registration is closed right now. Members can sign in to keep reading.</p>
        )}
      </div>
    </div>
  );
}

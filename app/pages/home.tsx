import { type ReactNode, useContext, useEffect } from "react";
import { useRevalidator } from "react-router";
import { FollowedPostsButton } from "#app/follows/followed-posts.tsx";
import { UnreadBadge, useUnreadCounts } from "#app/live/unread-counts.tsx";
import { FeaturedBlock, PinnedPost } from "#app/posts/lists/featured-block.tsx";
import { LoadingList, useAnotherList } from "#app/posts/lists/loading-list.tsx";
import { type NewPosts, NewPostsButton, useNewPosts } from "#app/posts/lists/new-posts.tsx";
import { PostGrid, threeColumns } from "#app/posts/lists/post-grid.tsx";
import { allPostsPath } from "#app/shell/frame/navigation.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { ButtonLink, IconLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Icon } from "#app/ui/icon.ts";
import { ArrowRight, BookOpen, Compass, Heart, MessageCircle, PenLine, RefreshCw, User, Users } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column, Panel, Stats } from "#app/ui/panel.tsx";
import { Personal, PersonalDataContext } from "#app/ui/personal.tsx";
import { CardSkeletons } from "#app/ui/skeleton.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { greeting, shortCount } from "#domain/format.ts";
import type { HomeData } from "./home-data.server.ts";
import { cacheStats, forgetStats } from "./home-stats.ts";
import type { HomeTab } from "./home-tabs.ts";

export function Home(data: HomeData) {
  const { personal, tab, featured, pinned, listing, cursor } = data;
  const { search } = useRoot();
  const newPosts = useNewPosts(listing, { cursor, search, sorted: tab !== "all" });
  const another = useAnotherList();
  const above = new Set(search ? [] : [...featured, ...pinned].map(({ id }) => id));
  useEffect(() => {
    if (personal.stats) cacheStats(personal.viewerId, personal.stats);
  }, [personal]);
  return (
    <div className={`${column} pt-8 pb-16 lg:pt-12 lg:pb-24`}>
      <Welcome personal={personal} newPosts={newPosts} />
      <PersonalDataContext value={personal}>
        <HomeStats />
      </PersonalDataContext>
      {!search && pinned.length > 0 && (
        <section className="mt-14 lg:mt-16">
          <h2 className="display text-t3">Pinned Posts</h2>
          <div className="mt-5 grid gap-4 md:grid-cols-3 lg:gap-6">
            {pinned.map((post) => (
              <PinnedPost key={post.id} post={post} />
            ))}
          </div>
        </section>
      )}
      {!search && featured.length > 0 && (
        <Section title="Featured Stories">
          <div className="mt-6">
            <FeaturedBlock posts={featured} labeled />
          </div>
        </Section>
      )}
      <Section title="Latest Stories" aside={<ExploreMore />}>
        <Tabs label="Latest stories" tabs={useHomeTabs(tab)} className="mt-3" />
        <NewPostsButton count={newPosts.count} onShow={newPosts.show} />
        {tab === "following" && <FollowedPostsButton key={newPosts.shown} onShow={newPosts.show} />}
        {another ? (
          <LoadingList className={`mt-9 ${threeColumns}`}>
            <CardSkeletons count={8} />
          </LoadingList>
        ) : listing.posts.length > 0 ? (
          <PostGrid key={`${newPosts.shown} ${tab} ${search}`} listing={listing} above={above} />
        ) : (
          <NoPostsYet tab={tab} search={search} />
        )}
      </Section>
    </div>
  );
}

function NoPostsYet({ tab, search }: { tab: HomeTab; search: string }) {
  if (search)
    return (
      <EmptyState art="search" title="No matches found" heading="h3">
        <ButtonLink to={tab === "all" ? "/" : `/?tab=${tab}`} preventScrollReset>
          Clear Search
        </ButtonLink>
        <ButtonLink to="/all-posts">All Stories</ButtonLink>
      </EmptyState>
    );
  if (tab !== "following")
    return (
      <EmptyState art="write" title="No stories yet" heading="h3">
        <ButtonLink to="/add-post" variant="primary">
          Share Your Story
        </ButtonLink>
      </EmptyState>
    );
  return (
    <EmptyState art="read" title="Nothing here yet" text="Follow writers to see their stories here." heading="h3">
      <ButtonLink to="/featured-writers">Find writers</ButtonLink>
    </EmptyState>
  );
}

function Welcome({ personal, newPosts }: Pick<HomeData, "personal"> & { newPosts: NewPosts }) {
  const { messages } = useRoot().site.features;
  const loading = useRevalidator().state === "loading";
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
      <div className="min-w-0">
        <Greeting />
        <Personal as="h1" className="display mt-1 text-d1 lg:text-d2">
          <WelcomeBack />
        </Personal>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <IconLink
          to="/"
          label="Refresh"
          icon={loading ? Spinner : RefreshCw}
          variant="secondary"
          aria-busy={loading || undefined}
          onClick={(event) => {
            event.preventDefault();
            forgetStats(personal.viewerId);
            newPosts.show();
          }}
        />
        {messages && (
          <span className="relative">
            <ButtonLink to="/messages" icon={MessageCircle}>
              Messages
            </ButtonLink>
            <UnreadBadge className="pointer-events-none absolute -top-2 -right-2 bg-ink! text-paper! ring-2 ring-paper" />
          </span>
        )}
        <ButtonLink to="/add-post" variant="primary" icon={PenLine} className="sm:ml-2">
          New Story
        </ButtonLink>
      </div>
    </div>
  );
}

function WelcomeBack() {
  return `Welcome back, ${useRoot().viewer?.name}`;
}

function HomeStats() {
  const { search, site } = useRoot();
  const { likes, messages } = site.features;
  const stat = (of: "likes" | "posts" | "members" | "unread") => (
    <Personal as="span">
      <HomeStat of={of} />
    </Personal>
  );
  const stats = [
    ...(likes ? [{ label: "Total Likes", value: stat("likes"), icon: Heart, to: "/profile" }] : []),
    { label: "Your Stories", value: stat("posts"), icon: BookOpen, to: "/profile" },
    ...(messages ? [{ label: "New Messages", value: stat("unread"), icon: MessageCircle, to: "/messages" }] : []),
    { label: "Community", value: stat("members"), icon: Users },
  ];
  return (
    <div className="mt-8 grid gap-4 xl:grid-cols-[1fr_196px]">
      <Stats stats={stats} />
      <Panel className="flex flex-col justify-center p-3">
        <h2 className="px-2 pb-1 text-sm text-ink-2 max-xl:sr-only">Quick Actions</h2>
        <div className="flex xl:flex-col">
          <QuickAction to={allPostsPath(search)} icon={Compass}>
            Explore All
          </QuickAction>
          <QuickAction to="/profile" icon={User}>
            My Profile
          </QuickAction>
        </div>
      </Panel>
    </div>
  );
}

function HomeStat({ of }: { of: "likes" | "posts" | "members" | "unread" }) {
  const { stats } = useContext(PersonalDataContext) as HomeData["personal"];
  const { unread } = useUnreadCounts();
  return stats ? shortCount({ ...stats, unread }[of]) : "–";
}

function QuickAction({ to, icon: IconComponent, children }: { to: string; icon: Icon; children: string }) {
  return (
    <Link
      to={to}
      className="flex h-10 flex-1 items-center gap-2.5 rounded-sm px-2 text-base font-medium hover:bg-hover max-lg:h-11 xl:flex-none"
    >
      <IconComponent aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="flex-1">{children}</span>
      <ArrowRight aria-hidden className="size-4 shrink-0 text-ink-3" />
    </Link>
  );
}

function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-14 border-t-2 border-ink pt-5 lg:mt-20 dark:border-line-strong">
      <div className="flex items-end justify-between gap-4">
        <h2 className="display text-t3">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

function ExploreMore() {
  const { search } = useRoot();
  return (
    <Link
      to={allPostsPath(search)}
      className="inline-flex items-center gap-1.5 whitespace-nowrap text-base font-medium text-accent-ink underline-offset-4 hover:underline"
    >
      Explore More
      <ArrowRight aria-hidden className="size-4 shrink-0" />
    </Link>
  );
}

const tabLabels: Record<HomeTab, string> = { all: "All Stories", trending: "Trending", following: "Following" };

function useHomeTabs(current: HomeTab) {
  const { search } = useRoot();
  return Object.entries(tabLabels).map(([tab, label]) => {
    const query = new URLSearchParams({ ...(tab === "all" ? {} : { tab }), ...(search ? { q: search } : {}) }).toString();
    return { to: query ? `/?${query}` : "/", label, current: tab === current };
  });
}

/** The server guesses the hour in UTC. The guess is hidden where a script will correct it. */
function Greeting() {
  const { now } = useRoot();
  const isKnown = useHydrated();
  const hour = isKnown ? new Date().getHours() : new Date(now).getUTCHours();
  return <p className={classNames("text-md text-ink-2", !isKnown && "[@media(scripting:enabled)]:invisible")}>{greeting(hour)}</p>;
}

import { redirect, useNavigation } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { DraftsTab } from "#app/drafts/drafts-tab.tsx";
import { loadOwnPosts } from "#app/drafts/own-posts.server.ts";
import { useUnreadCounts } from "#app/live/unread-counts.tsx";
import { YourPosts } from "#app/posts/lists/your-posts.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath } from "#app/shell/refusals.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Bell, Pencil, Settings } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { readOwnProfile } from "#domain/pages/own-profile.server.ts";
import { listBookmarks } from "#domain/reactions/bookmarks.server.ts";
import type { Member, Site } from "#domain/site.ts";
import type { Route } from "./+types/own-profile-page.ts";
import { BookmarksTab } from "./bookmarks-tab.tsx";
import { recordFailedLoads } from "./failed-loads.ts";
import { ProfileTab } from "./profile-tab.tsx";
import { type ProfileTabName, profileTab, profileTabPath } from "./profile-tabs.ts";

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  if (!viewer) throw redirect(loginPath(url.pathname + url.search));
  const [profile, content] = await Promise.all([readOwnProfile(site, viewer), readTab(site, viewer, url.searchParams)]);
  return { ...profile, ...content };
}

async function readTab(site: Site, viewer: Member, query: URLSearchParams) {
  const asked = profileTab(query);
  const tab = asked === "bookmarks" && !site.settings.enableBookmarks ? "profile" : asked;
  switch (tab) {
    case "profile":
      return { tab };
    case "posts":
    case "drafts": {
      const own = await loadOwnPosts(site, viewer, tab, query);
      return { tab, own, listing: own.listing };
    }
    case "bookmarks": {
      const after = query.get("after");
      const search = query.get("find")?.trim().slice(0, 200) ?? "";
      return { tab, search, listing: { ...(await listBookmarks(site, viewer, { limit: 12, after, search })), after } };
    }
  }
}

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [recordFailedLoads];

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "User Profile" });

export default function OwnProfilePage({ loaderData }: Route.ComponentProps) {
  const { site } = useRoot();
  const { notifications } = useUnreadCounts();
  const { counts } = loaderData;
  const opening = useOpeningTab(loaderData.tab);
  const shown = opening ?? loaderData.tab;
  return (
    <div className={`${column} pt-8 pb-16 lg:pt-12 lg:pb-24`}>
      <div className="flex flex-wrap items-end justify-between gap-x-2 gap-y-4">
        <h1 className="display text-d1 lg:text-d2">User Profile</h1>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/notifications" variant="ghost" icon={Bell} className="max-sm:hidden">
            Notifications
            <CounterBadge count={notifications} label="unread" className="ml-2" />
          </ButtonLink>
          <ButtonLink to="/account" variant="ghost" icon={Settings} className="max-sm:hidden">
            Account
          </ButtonLink>
          <ButtonLink to="/edit-profile" icon={Pencil} className="max-sm:order-1">
            Edit Profile
          </ButtonLink>
        </div>
      </div>
      <Tabs
        label="Your profile"
        className="mt-6"
        tabs={[
          { to: profileTabPath("profile"), label: "Profile", current: shown === "profile" },
          { to: profileTabPath("posts"), label: "Your Posts", count: counts.posts, current: shown === "posts" },
          ...(site.features.bookmarks
            ? [{ to: profileTabPath("bookmarks"), label: "Bookmarks", count: counts.bookmarks, current: shown === "bookmarks" }]
            : []),
          { to: profileTabPath("drafts"), label: "Drafts", count: counts.drafts, current: shown === "drafts" },
        ]}
      />
      {opening ? <Opening tab={opening} /> : <OpenTab data={loaderData} />}
    </div>
  );
}

function OpenTab({ data }: { data: Route.ComponentProps["loaderData"] }) {
  switch (data.tab) {
    case "profile":
      return <ProfileTab profile={data.profile} counts={data.counts} />;
    case "posts":
      return <YourPosts own={data.own} />;
    case "bookmarks":
      return <BookmarksTab listing={data.listing} count={data.counts.bookmarks} search={data.search} />;
    case "drafts":
      return <DraftsTab own={data.own} />;
  }
}

const openingTexts: Record<ProfileTabName, string> = {
  profile: "Loading your profile...",
  posts: "Loading your posts...",
  bookmarks: "Loading your bookmarks...",
  drafts: "Loading your drafts...",
};

function Opening({ tab }: { tab: ProfileTabName }) {
  return (
    <div aria-busy className="flex justify-center py-24">
      <Spinner label={openingTexts[tab]} />
    </div>
  );
}

function useOpeningTab(shown: ProfileTabName): ProfileTabName | undefined {
  const { state, location } = useNavigation();
  if (state !== "loading" || location.pathname !== "/profile") return undefined;
  const tab = profileTab(new URLSearchParams(location.search));
  return tab === shown ? undefined : tab;
}

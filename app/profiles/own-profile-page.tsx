import { Calendar, FileText } from "lucide-react";
import { redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { StoryList } from "#app/posts/story-list.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath } from "#app/shell/refusals.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { column, Panel } from "#app/ui/panel.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { listDrafts, listLatest } from "#domain/posts/post-reads.server.ts";
import { findProfile, type Profile } from "#domain/profiles/profile-reads.server.ts";
import { longDate } from "#domain/wording.ts";
import type { Route } from "./+types/own-profile-page.ts";
import { DraftList } from "./draft-list.tsx";
import { SocialLinkList } from "./social-links.tsx";

const tabs = ["profile", "posts", "drafts"] as const;
type ProfileTab = (typeof tabs)[number];

export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect(loginPath(url.pathname + url.search));
  const tab: ProfileTab = tabs.find((each) => each === url.searchParams.get("tab")) ?? "profile";
  const after = url.searchParams.get("after");
  const lists = {
    profile: () => ({ posts: [], next: null }),
    posts: () => listLatest(site, { limit: 12, after, authorId: viewer.id }),
    drafts: () => listDrafts(site, viewer, { limit: 12, after }),
  };
  const [profile, stories] = await Promise.all([findProfile(site, viewer.id), lists[tab]()]);
  return { tab, profile, listing: { ...stories, after } };
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { title: "User Profile" });
}

export default function OwnProfilePage({ loaderData: { tab, profile, listing } }: Route.ComponentProps) {
  return (
    <div className={`${column} pt-8 pb-16 lg:pt-12 lg:pb-24`}>
      <h1 className="display text-d1 lg:text-d2">User Profile</h1>
      <Tabs
        label="Your profile"
        className="mt-6"
        tabs={[
          { to: "/profile", label: "Profile", current: tab === "profile" },
          { to: "/profile?tab=posts", label: "Your Posts", count: profile.postsCount, current: tab === "posts" },
          { to: "/profile?tab=drafts", label: "Drafts", current: tab === "drafts" },
        ]}
      />
      {tab === "profile" && <Overview profile={profile} />}
      {tab === "posts" &&
        (listing.posts.length > 0 ? (
          <StoryList key="posts" listing={listing} moreLabel="Load More Posts" />
        ) : (
          <EmptyState art="write" title="No posts yet" text="Start writing your first blog post" className="py-14">
            <ButtonLink to="/add-post" variant="primary">
              Create Your First Post
            </ButtonLink>
          </EmptyState>
        ))}
      {tab === "drafts" && <DraftList listing={listing} />}
    </div>
  );
}

function Overview({ profile }: { profile: Profile }) {
  const { viewer } = useRoot();
  return (
    <div className="grid gap-x-16 gap-y-10 pt-8 lg:grid-cols-[340px_minmax(0,1fr)] lg:pt-10">
      <Panel className="self-start p-6">
        <Avatar id={profile.id} name={profile.name} profileImage={profile.profileImage} size={112} />
        <h2 className="display mt-4 break-words text-t3">{profile.name}</h2>
        <p className="mt-1 break-all text-base text-ink-2">{viewer?.email}</p>
        <p className="num mt-3 flex items-center gap-1.5 text-sm text-ink-3">
          <Calendar aria-hidden className="size-4 shrink-0" />
          Joined {longDate(profile.joinedAt)}
        </p>
      </Panel>
      <div className="flex min-w-0 flex-col gap-11">
        <Panel className="p-4 sm:px-6 sm:py-5">
          <dl>
            <dt className="flex items-center gap-2 text-sm text-ink-2">
              <FileText aria-hidden className="size-4 shrink-0 text-ink-3" />
              Articles Published
            </dt>
            <dd className="display num mt-2.5 text-d1">{profile.postsCount}</dd>
          </dl>
        </Panel>
        {profile.bio && (
          <section>
            <h2 className="display mb-2 text-t2">About</h2>
            <p className="max-w-[40rem] whitespace-pre-line break-words font-reading text-lg leading-[1.65]!">{profile.bio}</p>
          </section>
        )}
        <section>
          <h2 className="display mb-2 text-t2">Details</h2>
          <dl>
            <Detail name="Display name">{profile.name || "Not set"}</Detail>
            {profile.location && <Detail name="Location">{profile.location}</Detail>}
          </dl>
        </section>
        <section>
          <h2 className="display mb-2 text-t2">Social Links</h2>
          <SocialLinkList of={profile} />
        </section>
      </div>
    </div>
  );
}

function Detail({ name, children }: { name: string; children: string }) {
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-4 border-t border-line py-3 first:border-t-0 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-base text-ink-2">{name}</dt>
      <dd className="break-words text-base">{children}</dd>
    </div>
  );
}

import { data, redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { FollowButton } from "#app/follows/follow-button.tsx";
import { useLiveProfile } from "#app/live/live-profiles.ts";
import { useRevalidateOn } from "#app/live/use-live.ts";
import { LoadMore } from "#app/posts/lists/load-more.tsx";
import { type PagedPosts, usePagedList } from "#app/posts/lists/paged-list.ts";
import { PostListRow } from "#app/posts/lists/post-list-row.tsx";
import { ReportLink } from "#app/reports/report-dialog.tsx";
import { BackLink } from "#app/shell/back-link.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Calendar, MapPin, MessageCircle, Users } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import type { SharedPageHandle } from "#app/ui/personal.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { monthAndYear } from "#domain/dates.ts";
import { excerpt, pluralize, shortCount } from "#domain/format.ts";
import { type MemberPage, readMemberPage } from "#domain/pages/member-page.server.ts";
import { listLatest } from "#domain/posts/post-reads.server.ts";
import { detailsOf, isRefusal } from "#domain/refusals.ts";
import type { Route } from "./+types/profile-page.ts";
import { recordFailedLoads } from "./failed-loads.ts";
import { ProfilePicture } from "./profile-picture.tsx";
import { SocialIcons } from "./social-links.tsx";

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const after = url.searchParams.get("after");
  const cursor = site.events.latest();
  try {
    const [member, posts] = await Promise.all([
      readMemberPage(site, viewer, params.userId),
      listLatest(site, { limit: 12, after, authorId: params.userId }),
    ]);
    return data({ member, listing: { ...posts, after }, own: viewer?.id === params.userId, cursor });
  } catch (error) {
    if (!isRefusal(error) || error.code !== "not-found") throw error;
    // Specified as a redirect, not a 404 at this address.
    if (!detailsOf(error, "account-gone")) throw redirect("/404");
    return data({ member: null, listing: undefined, own: false, cursor }, { status: 410 });
  }
}

export const handle: SharedPageHandle = { shared: true };

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [recordFailedLoads];

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData?.member) return pageMeta(matches, { title: "User Not Found" });
  const { id, name, bio, profileImage } = loaderData.member.profile;
  return pageMeta(matches, {
    title: name,
    description: bio ? excerpt(bio, 150) : `Stories by ${name}`,
    path: `/profile/${id}`,
    picture: profileImage,
    type: "profile",
    feed: { path: `/profile/${id}/feed.xml`, title: `Stories by ${name}` },
  });
}

export default function ProfilePage({ loaderData }: Route.ComponentProps) {
  return loaderData.member ? <MemberScreen {...loaderData} /> : <UserNotFound />;
}

type MemberScreenProps = Extract<Route.ComponentProps["loaderData"], { member: MemberPage }>;

function MemberScreen({ member, listing, own, cursor }: MemberScreenProps) {
  const { profile } = member;
  useRevalidateOn([`profile:${profile.id}`], cursor);
  return (
    <div className={`${column} pt-4 pb-16 lg:pt-6 lg:pb-24`}>
      <BackLink />
      <Identity member={member} own={own} />
      <dl className="mt-10 grid grid-cols-2 border-y border-line">
        <div className="flex flex-col-reverse py-6">
          <dt className="mt-1 text-base text-ink-2">Posts</dt>
          <dd className="display num text-d1">{shortCount(profile.postsCount)}</dd>
        </div>
        <div className="flex flex-col-reverse border-l border-line py-6 pl-6 lg:pl-10">
          <dt className="mt-1 text-base text-ink-2">Likes Received</dt>
          <dd className="display num text-d1">{shortCount(profile.likesReceived)}</dd>
        </div>
      </dl>
      <Tabs
        label="Profile"
        tabs={[{ to: `/profile/${profile.id}`, label: "Posts", count: profile.postsCount, current: true }]}
        className="mt-8"
      />
      {listing.posts.length > 0 ? (
        <Posts key={profile.id} listing={listing} />
      ) : (
        <EmptyState
          art="write"
          title={own ? "Start writing your first post!" : "This user hasn't published any posts yet."}
          className="py-14"
        />
      )}
    </div>
  );
}

function Posts({ listing }: { listing: PagedPosts }) {
  const list = usePagedList(listing);
  return (
    <div aria-busy={list.loading}>
      {list.posts.map((post) => (
        <PostListRow key={post.id} post={post} ofOneWriter heading="h2" />
      ))}
      <LoadMore list={list} label="Load More Posts" />
    </div>
  );
}

function UserNotFound() {
  return (
    <EmptyState
      art="people"
      heading="h1"
      title="User Not Found"
      text="This account was deleted or is unavailable right now."
      className="py-24"
    >
      <ButtonLink to="/" variant="primary">
        Go Home
      </ButtonLink>
    </EmptyState>
  );
}

function Identity({ member, own }: { member: MemberPage; own: boolean }) {
  const { viewer, site } = useRoot();
  const { profile, followers, following } = member;
  const { name } = useLiveProfile({ id: profile.id, name: profile.name });
  const fact = "flex min-w-0 items-center gap-1.5";
  const iconClass = "size-4 shrink-0 text-ink-3";
  return (
    <div className="mt-4 grid items-start gap-8 lg:mt-8 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex min-w-0 flex-col gap-6 sm:flex-row sm:gap-9">
        <ProfilePicture profile={profile} size={144} />
        <div className="min-w-0 max-w-[40rem]">
          <h1 dir="auto" className="display text-d1 font-[480]! lg:text-d2">
            {name}
          </h1>
          <div className="num mt-2 flex flex-wrap gap-x-5 gap-y-1 text-base text-ink-2">
            {profile.location && (
              <span className={fact}>
                <MapPin aria-hidden className={iconClass} />
                <span className="min-w-0">{profile.location}</span>
              </span>
            )}
            <span className={fact}>
              <Calendar aria-hidden className={iconClass} />
              Joined {monthAndYear(profile.joinedAt)}
            </span>
            <span className={fact}>
              <Users aria-hidden className={iconClass} />
              {pluralize(followers, "follower")} · {shortCount(following)} following
            </span>
          </div>
          {profile.bio && (
            <p dir="auto" className="mt-4 whitespace-pre-line font-reading text-lg leading-[1.6]!">
              {profile.bio}
            </p>
          )}
          <SocialIcons of={profile} className="mt-4" />
        </div>
      </div>
      {!own && (
        <div className="lg:w-44">
          {viewer && (
            <div className="flex gap-2 lg:flex-col max-lg:*:flex-1">
              {site.features.messages && (
                <ButtonLink to={`/messages/${profile.id}`} variant="primary" icon={MessageCircle}>
                  Message
                </ButtonLink>
              )}
              <FollowButton userId={profile.id} name={name} following={member.followed} />
            </div>
          )}
          <p className={viewer ? "mt-3 lg:text-center" : "lg:text-right"}>
            <ReportLink kind="profile" id={profile.id} />
          </p>
        </div>
      )}
    </div>
  );
}

import { Calendar, MapPin } from "lucide-react";
import { redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { StoryList } from "#app/posts/story-list.tsx";
import { BackLink } from "#app/shell/back-link.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { column } from "#app/ui/panel.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { listLatest } from "#domain/posts/post-reads.server.ts";
import { findProfile, type Profile } from "#domain/profiles/profile-reads.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import { excerpt, monthAndYear, shortCount } from "#domain/wording.ts";
import type { Route } from "./+types/profile-page.ts";
import { SocialIcons } from "./social-links.tsx";

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const after = url.searchParams.get("after");
  const [profile, stories] = await Promise.all([
    findProfile(site, params.userId).catch(toNotFoundPage),
    listLatest(site, { limit: 12, after, authorId: params.userId }),
  ]);
  return { profile, listing: { ...stories, after }, own: context.get(viewerContext)?.id === profile.id };
}

/** As specified, a profile that does not exist leads away rather than answering at its own address. */
function toNotFoundPage(error: unknown): never {
  throw isRefusal(error) && error.code === "not-found" ? redirect("/404") : error;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return pageMeta(matches);
  const { id, name, bio, profileImage } = loaderData.profile;
  return pageMeta(matches, {
    title: name,
    description: bio ? excerpt(bio, 150) : `Stories by ${name}`,
    path: `/profile/${id}`,
    picture: profileImage,
    type: "profile",
  });
}

export default function ProfilePage({ loaderData: { profile, listing, own } }: Route.ComponentProps) {
  return (
    <div className={`${column} pt-4 pb-16 lg:pt-6 lg:pb-24`}>
      <BackLink />
      <Identity profile={profile} />
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
      <Tabs label="Profile" tabs={[{ to: ".", label: "Posts", count: profile.postsCount, current: true }]} className="mt-8" />
      {listing.posts.length > 0 ? (
        <StoryList key={profile.id} listing={listing} moreLabel="Load More Posts" />
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

function Identity({ profile }: { profile: Profile }) {
  return (
    <div className="mt-4 grid items-start gap-8 lg:mt-8 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex flex-col gap-6 sm:flex-row sm:gap-9">
        <Avatar id={profile.id} name={profile.name} profileImage={profile.profileImage} size={144} />
        <div className="min-w-0 max-w-[40rem]">
          <h1 className="display break-words text-d1 font-[480]! lg:text-d2">{profile.name}</h1>
          <div className="num mt-2 flex flex-wrap gap-x-5 gap-y-1 text-base text-ink-2">
            {profile.location && (
              <span className="flex min-w-0 items-center gap-1.5">
                <MapPin aria-hidden className="size-4 shrink-0 text-ink-3" />
                <span className="min-w-0 break-words">{profile.location}</span>
              </span>
            )}
            <span className="flex items-center gap-1.5">
              <Calendar aria-hidden className="size-4 shrink-0 text-ink-3" />
              Joined {monthAndYear(profile.joinedAt)}
            </span>
          </div>
          {profile.bio && <p className="mt-4 whitespace-pre-line break-words font-reading text-lg leading-[1.6]!">{profile.bio}</p>}
          <SocialIcons of={profile} className="mt-4" />
        </div>
      </div>
    </div>
  );
}

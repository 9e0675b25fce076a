import { useUnreadCounts } from "#app/live/unread-counts.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { CounterBadge } from "#app/ui/badge.tsx";
import type { Icon } from "#app/ui/icon.ts";
import { Bell, Bookmark, BookOpen, Calendar, ChevronRight, FilePenLine, MessageCircle, PenLine, Settings } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel, Stats } from "#app/ui/panel.tsx";
import { longDate } from "#domain/dates.ts";
import { profileCompletion } from "#domain/profiles/completion.ts";
import type { Profile } from "#domain/profiles/profile-reads.server.ts";
import { ProfilePicture } from "./profile-picture.tsx";
import { SocialLinkList } from "./social-links.tsx";

type ProfileTabProps = { profile: Profile; counts: { posts: number; bookmarks: number } };

export function ProfileTab({ profile, counts }: ProfileTabProps) {
  const { bookmarks } = useRoot().site.features;
  return (
    <div className="grid gap-x-16 gap-y-10 pt-8 lg:grid-cols-[340px_minmax(0,1fr)] lg:pt-10">
      <aside aria-label="You" className="flex min-w-0 flex-col gap-4">
        <Identity profile={profile} />
        <Completion profile={profile} />
        <QuickActions />
      </aside>
      <div className="flex min-w-0 flex-col gap-11">
        <Stats
          stats={[
            { label: "Articles Published", value: counts.posts, icon: BookOpen },
            ...(bookmarks ? [{ label: "Articles Bookmarked", value: counts.bookmarks, icon: Bookmark }] : []),
          ]}
        />
        {profile.bio && (
          <section>
            <h2 className="display mb-2 text-t2">About</h2>
            <p dir="auto" className="max-w-[40rem] whitespace-pre-line font-reading text-lg leading-[1.65]!">
              {profile.bio}
            </p>
          </section>
        )}
        <section>
          <h2 className="display mb-2 text-t2">Details</h2>
          <dl>
            <Detail name="Display name">{profile.userName || "Not set"}</Detail>
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

function Identity({ profile }: { profile: Profile }) {
  const { viewer } = useRoot();
  return (
    <Panel className="p-6">
      <ProfilePicture profile={profile} size={112} />
      <h2 dir="auto" className="display mt-4 text-t3">
        {profile.name}
      </h2>
      <p className="mt-1 break-all text-base text-ink-2">{viewer?.email}</p>
      <p className="num mt-3 flex items-center gap-1.5 text-sm text-ink-3">
        <Calendar aria-hidden className="size-4 shrink-0" />
        Joined {longDate(profile.joinedAt)}
      </p>
    </Panel>
  );
}

function Completion({ profile }: { profile: Profile }) {
  const { percent, advice } = profileCompletion(profile);
  return (
    <Panel className="p-6">
      <div className="flex items-baseline justify-between">
        <h2 id="completion" className="text-base font-semibold">
          Profile Completion
        </h2>
        <span className="display num text-t2">{percent}%</span>
      </div>
      <progress aria-labelledby="completion" value={percent} max={100} className="mt-3 h-2 w-full bg-sunken" />
      <p className="mt-3 text-sm text-ink-2">{advice}</p>
    </Panel>
  );
}

type Action = { to: string; label: string; icon: Icon; feature?: "bookmarks" | "messages"; onPhones?: boolean };

const actions: Action[] = [
  { to: "/add-post", label: "New Post", icon: PenLine },
  { to: "/profile?tab=bookmarks", label: "Bookmarks", icon: Bookmark, feature: "bookmarks" },
  { to: "/profile?tab=drafts", label: "Drafts", icon: FilePenLine },
  { to: "/messages", label: "Messages", icon: MessageCircle, feature: "messages" },
  // Wider screens have these two beside the title.
  { to: "/notifications", label: "Notifications", icon: Bell, onPhones: true },
  { to: "/account", label: "Account", icon: Settings, onPhones: true },
];

function QuickActions() {
  const { notifications } = useUnreadCounts();
  const { site } = useRoot();
  return (
    <Panel className="p-6 pb-3!">
      <h2 className="mb-1 text-base font-semibold">Quick Actions</h2>
      <ul className="-mx-2.5">
        {actions
          .filter(({ feature }) => !feature || site.features[feature])
          .map(({ to, label, icon: IconComponent, onPhones }) => (
            <li key={to} className={onPhones ? "sm:hidden" : undefined}>
              <Link to={to} className="flex h-11 items-center gap-3 rounded-sm px-2.5 text-base font-medium hover:bg-hover">
                <IconComponent aria-hidden className="size-[18px] shrink-0 text-ink-3" />
                <span className="flex-1">{label}</span>
                {to === "/notifications" && <CounterBadge count={notifications} label="unread" />}
                <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-3" />
              </Link>
            </li>
          ))}
      </ul>
    </Panel>
  );
}

function Detail({ name, children }: { name: string; children: string }) {
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-4 border-t border-line py-3 first:border-t-0 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-base text-ink-2">{name}</dt>
      <dd className="text-base">{children}</dd>
    </div>
  );
}

import { type RootData, useRoot } from "#app/shell/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Icon } from "#app/ui/icon.ts";
import { Feather, Globe, Leaf, Megaphone } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column } from "#app/ui/panel.tsx";
import type { PostCard as Post } from "#domain/posts/post.ts";

const points: { icon: Icon; title: string; text: (site: SiteFacts) => string | null }[] = [
  {
    icon: Leaf,
    title: "Free Forever",
    text: () => "No paid tier, no metered paywall, no trial that ends. Reading and writing cost nothing.",
  },
  {
    icon: Globe,
    title: "Global Community",
    text: () => null,
  },
  {
    icon: Feather,
    title: "Instant Publishing",
    text: ({ hasPosts }) =>
      hasPosts
        ? "Press publish and it’s live, unless one of the site’s rules holds it for review. You can edit it afterwards."
        : "Press publish and it’s live. Nobody approves it first, and you can edit it afterwards.",
  },
  {
    icon: Megaphone,
    title: "Reach Your Audience",
    text: ({ features }) =>
      `Views, ${features.likes ? "likes" : "followers"} and a page of your own, so the right readers can find their way back.`,
  },
];

type SiteFacts = { features: RootData["site"]["features"]; hasPosts: boolean };

/** `community`: the administrators’ text about their community. */
type WhyJoinProps = { writers: Post[]; community: string; hasPosts: boolean };

export function WhyJoin({ writers, community, hasPosts }: WhyJoinProps) {
  const { name, registrationOpen, features } = useRoot().site;
  return (
    <section aria-labelledby="why-join" className="mt-20 bg-[#17212d] text-[#faf4e8] lg:mt-28 dark:bg-raised">
      <div className={`${column} grid gap-12 py-16 lg:grid-cols-12 lg:py-24`}>
        <div className="lg:col-span-5">
          <h2 id="why-join" className="display max-w-[9em] text-d1 font-[460]! lg:text-d3">
            <span className="sr-only">Why Join {name}: </span>
            Why join a house of <em className="display-em">writers</em>?
          </h2>
          <div className="mt-8 flex items-center gap-4">
            <Faces writers={writers} />
          </div>
          {registrationOpen ? (
            <ButtonLink to="/signup" variant="primary" size="lg" className="mt-8">
              Sign Up
            </ButtonLink>
          ) : (
            <p className="mt-8 text-base opacity-75">Registration is closed right now.</p>
          )}
          <p className="mt-5 text-base opacity-75">
            Already a member?{" "}
            <Link to="/login" className="font-medium underline underline-offset-4">
              Sign in
            </Link>
          </p>
        </div>
        <div className="grid gap-x-10 gap-y-12 sm:grid-cols-2 lg:col-span-7">
          {points.map(({ text, ...point }) => (
            <Point key={point.title} {...point} text={text({ features, hasPosts }) ?? community} />
          ))}
        </div>
      </div>
    </section>
  );
}

function Point({ icon: IconComponent, title, text }: { icon: Icon; title: string; text: string }) {
  return (
    <div className="border-t border-white/18 pt-5">
      <IconComponent aria-hidden className="size-5 shrink-0 text-[#ff8a66]" />
      <h3 className="display mt-4 text-t2">{title}</h3>
      {text && <p className="mt-2 font-reading text-md leading-[1.6] opacity-75">{text}</p>}
    </div>
  );
}

function Faces({ writers }: { writers: Post[] }) {
  const people = [...new Map(writers.map((post) => [post.userId, post])).values()].slice(0, 5);
  if (people.length === 0) return null;
  return (
    <div className="flex shrink-0 -space-x-2">
      {people.map(({ userId, userName, profileImage }) => (
        <Avatar
          key={userId}
          id={userId}
          name={userName}
          profileImage={profileImage}
          size={40}
          className="ring-2 ring-[#17212d] dark:ring-raised"
        />
      ))}
    </div>
  );
}

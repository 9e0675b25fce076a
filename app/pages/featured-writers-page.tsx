import { siteContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import type { SharedPageHandle } from "#app/ui/personal.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { excerpt, shortCount } from "#domain/format.ts";
import { type FeaturedWriter, listFeaturedWriters } from "#domain/profiles/featured-writers.server.ts";
import type { Route } from "./+types/featured-writers-page.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { writers: await listFeaturedWriters(context.get(siteContext), 20) };
}

export const handle: SharedPageHandle = { shared: true };

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Featured Writers", description: lead, path: "/featured-writers" });

const lead = "The most-read writers of the last 30 days.";

export default function FeaturedWritersPage({ loaderData: { writers } }: Route.ComponentProps) {
  return (
    <PlainPage title="Featured Writers" lead={lead}>
      {writers.length === 0 ? (
        <EmptyState art="people" title="No stories in the last 30 days" className="mt-6" />
      ) : (
        <ol className="mt-8">
          {writers.map((writer) => (
            <Writer key={writer.id} writer={writer} />
          ))}
        </ol>
      )}
    </PlainPage>
  );
}

function Writer({ writer: { id, name, bio, profileImage, posts, views } }: { writer: FeaturedWriter }) {
  return (
    <li className="relative flex items-start gap-5 border-t border-line py-6">
      <Avatar id={id} name={name} profileImage={profileImage} size={56} />
      <div className="min-w-0">
        <h2 dir="auto" className="display text-t1">
          <Link to={`/profile/${id}`} className="stretched hover:text-accent-ink">
            {name}
          </Link>
        </h2>
        {bio && (
          <p dir="auto" className="mt-1 font-reading text-base leading-[1.6] text-ink-2">
            {excerpt(bio, 150)}
          </p>
        )}
        <p className="num mt-2 text-sm text-ink-3">
          {posts} {posts === 1 ? "story" : "stories"}, {shortCount(views)} {views === 1 ? "view" : "views"}
        </p>
      </div>
    </li>
  );
}

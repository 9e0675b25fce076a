import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Link } from "#app/ui/link.tsx";
import { longDate } from "#domain/dates.ts";
import { listPageTexts } from "#domain/pages/page-texts.server.ts";
import type { Route } from "./+types/page-texts-page.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const pages = await listPageTexts(context.get(siteContext), context.get(viewerContext));
  return { pages: pages.map(({ path, title, updatedAt }) => ({ path, title, updatedAt })) };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Pages" });

export default function PageTextsPage({ loaderData: { pages } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Pages"
        line="Pages linked in the footer. Each shows its default text until you write your own."
        back={{ to: "/admin/settings", label: "Settings" }}
      />
      <ul className="mt-6 divide-y divide-line rounded-lg border border-line bg-raised">
        {pages.map(({ path, title, updatedAt }) => (
          <li key={path} className="relative flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-4 hover:bg-hover lg:px-5">
            <Link
              to={`/admin/settings/pages/${path}`}
              className="min-w-0 flex-1 basis-64 font-medium [overflow-wrap:anywhere] stretched max-sm:basis-full"
            >
              {title}
            </Link>
            <span className="font-mono text-sm text-ink-3">/{path}</span>
            <span className="text-base text-ink-2 sm:w-56 sm:text-right">
              {updatedAt === null ? "Default text" : `Changed ${longDate(updatedAt)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

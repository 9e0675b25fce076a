import { siteContext, viewerContext } from "#app/context.ts";
import { PostHtml } from "#app/posts/post-html.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Pencil } from "#app/ui/icons.tsx";
import type { SharedPageHandle } from "#app/ui/personal.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { readPage } from "#domain/pages/page-texts.server.ts";
import { may } from "#domain/permissions.ts";
import type { Route } from "./+types/information-page.ts";
import { pageStyles } from "./page-styles.ts";

export async function loader({ url, context }: Route.LoaderArgs) {
  const path = url.pathname.replace(/^\/|\/$/g, "");
  const page = await readPage(context.get(siteContext), path);
  return { path, ...page, editable: may(context.get(viewerContext), "edit page texts") };
}

export const handle: SharedPageHandle = { shared: true };

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData?.title, description: loaderData?.lead, path: loaderData && `/${loaderData.path}` });

export default function InformationPage({ loaderData: { path, title, lead, html, editable } }: Route.ComponentProps) {
  return (
    <PlainPage title={title} lead={lead}>
      <PostHtml html={html} className={`${pageStyles} mt-10`} />
      {editable && (
        <ButtonLink to={`/admin/settings/pages/${path}`} icon={Pencil} className="mt-12">
          Edit page
        </ButtonLink>
      )}
    </PlainPage>
  );
}

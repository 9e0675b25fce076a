import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { pageMeta } from "#app/shell/page-meta.ts";
import { PlainPage } from "#app/ui/plain-page.tsx";
import { informationPages } from "#domain/pages/information.ts";
import { NotFound } from "#domain/refusals.ts";
import type { Route } from "./+types/information-page.ts";

/** The words come with the page rather than in a script that carries all of them. */
export function loader({ url }: Route.LoaderArgs) {
  const path = url.pathname.replace(/^\/|\/$/g, "");
  const page = informationPages[path];
  if (!page) throw new NotFound();
  return { path: `/${path}`, ...page };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta(matches, { title: loaderData?.title, description: loaderData?.lead, path: loaderData?.path });
}

export default function InformationPage({ loaderData: { title, lead, sections } }: Route.ComponentProps) {
  return (
    <PlainPage title={title} lead={lead}>
      <div className="mt-10 flex flex-col gap-10">
        {sections.map(({ heading, paragraphs, link }) => (
          <section key={heading} className="border-t border-line pt-6">
            <h2 className="display text-t2">{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3 text-pretty font-reading text-lg leading-[1.62]!">
                {paragraph}
              </p>
            ))}
            {link && (
              <Link
                to={link.to}
                className="mt-4 inline-flex min-h-8 items-center gap-1.5 font-medium text-accent-ink underline-offset-4 hover:underline"
              >
                {link.label}
                <ArrowRight aria-hidden className="size-4 shrink-0" />
              </Link>
            )}
          </section>
        ))}
      </div>
    </PlainPage>
  );
}

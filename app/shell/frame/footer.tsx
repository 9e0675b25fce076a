import { useRoot } from "#app/shell/root-data.ts";
import { ArrowUp } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column } from "#app/ui/panel.tsx";
import { footerLinks } from "./navigation.ts";
import { ShareLinks } from "./share-links.tsx";
import { SubscribeForm } from "./subscribe-form.tsx";
import { Wordmark } from "./wordmark.tsx";

export function Footer() {
  const { site, now } = useRoot();
  return (
    <footer className="border-t border-line bg-sunken">
      <div className={`${column} pt-14 pb-8`}>
        <div className="grid grid-cols-2 gap-x-8 gap-y-10 lg:grid-cols-[1.7fr_1fr_1fr_1fr_1.5fr]">
          <div className="footer-links">
            <FooterLinks />
          </div>
          {site.newsletter && (
            <div className="col-span-2 lg:col-span-1">
              <h2 className="text-base font-semibold">Stay Updated</h2>
              <p className="mt-3 text-base text-ink-2">One email a week with the most-read stories.</p>
              <SubscribeForm />
            </div>
          )}
        </div>
        <div className="mt-12 flex items-center justify-between gap-4 border-t border-line-strong/70 pt-6 text-sm text-ink-2">
          <span className="num">{`© ${new Date(now).getUTCFullYear()} ${site.name}`}</span>
          <a href="#top" className="button sm ghost -mr-3">
            <ArrowUp aria-hidden />
            Back to top
          </a>
        </div>
      </div>
    </footer>
  );
}

function FooterLinks() {
  const { site } = useRoot();
  const isOffered = ({ to }: { to: string }) => to !== "/messages" || site.features.messages;
  return (
    <>
      <div className="col-span-2 lg:col-span-1 lg:pr-8">
        <Wordmark twice="copied" className="w-fit text-[1.9rem]" />
        <p className="mt-4 max-w-xs font-reading text-base text-ink-2">A quiet place to put stories down and pick other people’s up.</p>
        <ShareLinks url={site.url} className="mt-5 -ml-2.5 flex gap-1" />
      </div>
      {footerLinks.map(({ title, links }) => (
        <nav key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {links.filter(isOffered).map(({ to, label }) => (
              <li key={to}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </>
  );
}

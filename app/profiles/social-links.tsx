import { classNames } from "#app/ui/class-names.ts";
import type { Icon } from "#app/ui/icon.ts";
import { GitHubIcon, Globe, LinkedInIcon, TwitterIcon } from "#app/ui/icons.tsx";
import { type SocialHandles, type SocialNetwork, socialLink } from "#domain/profiles/social-links.ts";

const networks: { network: SocialNetwork; label: string; icon: Icon }[] = [
  { network: "website", label: "Website", icon: Globe },
  { network: "twitter", label: "Twitter", icon: TwitterIcon },
  { network: "github", label: "GitHub", icon: GitHubIcon },
  { network: "linkedIn", label: "LinkedIn", icon: LinkedInIcon },
];

function linksOf(handles: SocialHandles) {
  return networks.map(({ network, ...rest }) => ({ network, ...rest, href: socialLink(network, handles[network]) }));
}

export function SocialIcons({ of, className }: { of: SocialHandles; className?: string | undefined }) {
  const set = linksOf(of).filter(({ href }) => href !== null);
  if (set.length === 0) return null;
  return (
    <ul aria-label="Social Links" className={classNames("-ml-2.5 flex gap-1 max-lg:-ml-3", className)}>
      {set.map(({ network, label, icon: IconComponent, href }) => (
        <li key={network}>
          <a
            href={href ?? ""}
            target="_blank"
            rel="me nofollow noopener"
            aria-label={label}
            title={label}
            className="inline-flex size-10 items-center justify-center rounded-md text-ink-2 transition-[color,background-color,border-color] hover:bg-hover hover:text-ink max-lg:size-11"
          >
            <IconComponent aria-hidden className="size-[18px] shrink-0" />
          </a>
        </li>
      ))}
    </ul>
  );
}

export function SocialLinkList({ of }: { of: SocialHandles }) {
  return (
    <dl>
      {linksOf(of).map(({ network, label, icon: IconComponent, href }) => (
        <div
          key={network}
          className="grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-4 border-t border-line py-3 first:border-t-0 sm:grid-cols-[11rem_minmax(0,1fr)]"
        >
          <dt className="flex items-center gap-2.5 text-base text-ink-2">
            <IconComponent aria-hidden className="size-[18px] shrink-0 text-ink-3" />
            {label}
          </dt>
          <dd className="truncate text-base">
            {href ? (
              <a
                href={href}
                target="_blank"
                rel="me nofollow noopener"
                className="font-medium text-accent-ink underline decoration-accent-line underline-offset-4 hover:decoration-current"
              >
                {network === "twitter" ? `@${lastPart(href)}` : href.replace(/^https?:\/\/(?:www\.)?|\/$/g, "")}
              </a>
            ) : (
              <span className="text-ink-3">Not set</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function lastPart(href: string): string {
  return new URL(href).pathname.split("/").findLast(Boolean) ?? "";
}

import { Globe, MapPin } from "lucide-react";
import { Avatar } from "#app/ui/avatar.tsx";
import { GitHubIcon, LinkedInIcon, TwitterIcon } from "#app/ui/brand-icons.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Icon } from "#app/ui/icon.ts";
import type { Story } from "#domain/posts/post.ts";
import { type SocialNetwork, socialLink } from "#domain/profiles/social-links.ts";

const networks: { network: SocialNetwork; label: string; icon: Icon }[] = [
  { network: "website", label: "Website", icon: Globe },
  { network: "twitter", label: "Twitter", icon: TwitterIcon },
  { network: "github", label: "GitHub", icon: GitHubIcon },
  { network: "linkedIn", label: "LinkedIn", icon: LinkedInIcon },
];

type Props = { story: Story; author: NonNullable<Story["author"]> };

export function AboutTheAuthor({ story, author }: Props) {
  return (
    <section className="mt-12 rounded-lg border border-line bg-raised p-6 sm:p-8" aria-labelledby="about-the-author">
      <h2 id="about-the-author" className="text-sm font-medium text-ink-3">
        About the Author
      </h2>
      <div className="mt-4 flex flex-col gap-5 sm:flex-row sm:gap-6">
        <Avatar id={story.userId} name={story.userName} profileImage={story.profileImage} size={80} />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <div>
              <h3 className="display text-t2">{story.userName}</h3>
              {author.location && (
                <p className="mt-1 flex items-center gap-1.5 text-base text-ink-2">
                  <MapPin aria-hidden className="size-4 shrink-0" />
                  {author.location}
                </p>
              )}
            </div>
            <ButtonLink to={`/profile/${story.userId}`} size="sm">
              View Profile
            </ButtonLink>
          </div>
          {author.bio && <p className="mt-3 font-reading text-md leading-[1.6] text-ink-2">{author.bio}</p>}
          <SocialLinks author={author} />
        </div>
      </div>
    </section>
  );
}

function SocialLinks({ author }: Pick<Props, "author">) {
  const links = networks.flatMap(({ network, ...rest }) => {
    const href = socialLink(network, author[network]);
    return href ? [{ href, ...rest }] : [];
  });
  if (links.length === 0) return null;
  return (
    <ul className="mt-3 -ml-2.5 flex gap-1">
      {links.map(({ href, label, icon: Drawing }) => (
        <li key={label}>
          <a
            href={href}
            target="_blank"
            rel="me nofollow noopener"
            aria-label={label}
            title={label}
            className="inline-flex size-10 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink max-lg:size-11"
          >
            <Drawing aria-hidden className="size-[18px]" />
          </a>
        </li>
      ))}
    </ul>
  );
}

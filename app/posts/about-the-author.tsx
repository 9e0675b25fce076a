import { useLiveProfile } from "#app/live/live-profiles.ts";
import { SocialIcons } from "#app/profiles/social-links.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { MapPin } from "#app/ui/icons.tsx";
import { cardFallbacks } from "#domain/format.ts";
import type { Post } from "#domain/posts/post.ts";

type Props = { post: Post; author: NonNullable<Post["author"]> };

export function AboutTheAuthor({ post, author }: Props) {
  const { name } = useLiveProfile({ id: post.userId, name: post.userName });
  return (
    <section className="mt-12 rounded-lg border border-line bg-raised p-6 sm:p-8" aria-labelledby="about-the-author">
      <h2 id="about-the-author" className="text-sm font-medium text-ink-3">
        About the Author
      </h2>
      <div className="mt-4 flex flex-col gap-5 sm:flex-row sm:gap-6">
        <Avatar id={post.userId} name={post.userName} profileImage={post.profileImage} size={80} />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <div className="min-w-0">
              <h3 dir="auto" className="display text-t2">
                {name || cardFallbacks.author}
              </h3>
              {author.location && (
                <p className="mt-1 flex items-center gap-1.5 text-base text-ink-2 [overflow-wrap:anywhere]">
                  <MapPin aria-hidden className="size-4 shrink-0" />
                  {author.location}
                </p>
              )}
            </div>
            <ButtonLink to={`/profile/${post.userId}`} size="sm">
              View Profile
            </ButtonLink>
          </div>
          {author.bio && (
            <p dir="auto" className="mt-3 font-reading text-md leading-[1.6] whitespace-pre-line text-ink-2">
              {author.bio}
            </p>
          )}
          <SocialIcons of={author} className="mt-3" />
        </div>
      </div>
    </section>
  );
}

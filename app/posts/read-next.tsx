import type { PostCard as Card } from "#domain/posts/post.ts";
import { PostCard } from "./lists/post-card.tsx";

export function ReadNext({ stories }: { stories: Card[] }) {
  if (stories.length === 0) return null;
  return (
    <section aria-labelledby="read-next" className="mx-auto mt-16 max-w-wide border-t-2 border-ink pt-5 lg:mt-20 dark:border-line-strong">
      <h2 id="read-next" className="display text-t3">
        Read next
      </h2>
      <div className="mt-6 grid gap-x-8 gap-y-12 sm:grid-cols-2 md:grid-cols-3">
        {stories.map((story) => (
          <PostCard key={story.id} story={story} titleSize="t1" sizes="(min-width: 60rem) 300px, (min-width: 40rem) 46vw, 92vw" />
        ))}
      </div>
    </section>
  );
}

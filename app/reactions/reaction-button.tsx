import { Bookmark, Heart } from "lucide-react";
import { useEffect } from "react";
import { useFetcher } from "react-router";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { shortCount } from "#domain/wording.ts";
import type { Reaction, ReactionAnswer } from "./reaction.ts";

type Story = { id: string; liked: boolean; bookmarked: boolean; likesCount: number };

/**
 * Posts the wanted state and shows it at once; what the server says in the end holds, so a failure undoes it. Without
 * JavaScript a plain form that comes back to the page.
 */
function useReaction(story: Story, reaction: Reaction) {
  // One fetcher for every button of the same reaction on the page.
  const fetcher = useFetcher<ReactionAnswer>({ key: `${reaction}:${story.id}` });
  const saved = reaction === "like" ? story.liked : story.bookmarked;
  const pending = fetcher.formData?.get("wanted");
  const on = pending ? pending === "yes" : saved;
  return { fetcher, on, change: Number(on) - Number(saved) };
}

/** Once per page: says what became of a press. */
export function ReactionToasts({ story }: { story: Story }) {
  const answers = [useReaction(story, "like").fetcher.data, useReaction(story, "bookmark").fetcher.data];
  const [like, bookmark] = answers;
  useEffect(() => {
    if (like) showToast(like);
  }, [like]);
  useEffect(() => {
    if (bookmark) showToast(bookmark);
  }, [bookmark]);
  return null;
}

type FormProps = { story: Story; reaction: Reaction; children: React.ReactNode };

function ReactionForm({ story, reaction, children }: FormProps) {
  const { fetcher, on } = useReaction(story, reaction);
  const hydrated = useHydrated();
  return (
    <fetcher.Form method="post" action={`/post/${story.id}`} preventScrollReset>
      <input type="hidden" name="reaction" value={reaction} />
      <input type="hidden" name="wanted" value={on ? "no" : "yes"} />
      {hydrated && <input type="hidden" name="scripted" value="yes" />}
      {children}
    </fetcher.Form>
  );
}

export function LikeButton({ story }: { story: Story }) {
  const { on, change } = useReaction(story, "like");
  const count = Math.max(0, story.likesCount + change);
  return (
    <ReactionForm story={story} reaction="like">
      <Button type="submit" aria-pressed={on} icon={Heart} className={on ? "[&_svg]:fill-accent [&_svg]:text-accent" : undefined}>
        <span className="num">{shortCount(count)}</span> {count === 1 ? "Like" : "Likes"}
      </Button>
    </ReactionForm>
  );
}

export function BookmarkButton({ story }: { story: Story }) {
  const { on } = useReaction(story, "bookmark");
  return (
    <ReactionForm story={story} reaction="bookmark">
      <Button type="submit" aria-pressed={on} icon={Bookmark} className={on ? "[&_svg]:fill-accent [&_svg]:text-accent" : undefined}>
        {on ? "Bookmarked" : "Bookmark"}
      </Button>
    </ReactionForm>
  );
}

/** The same in the bar, without words. */
export function BookmarkIcon({ story }: { story: Story }) {
  const { on } = useReaction(story, "bookmark");
  return (
    <ReactionForm story={story} reaction="bookmark">
      <IconButton
        type="submit"
        label={on ? "Remove bookmark" : "Bookmark"}
        aria-pressed={on}
        icon={Bookmark}
        className={on ? "-mr-2.5 [&_svg]:fill-accent [&_svg]:text-accent" : "-mr-2.5"}
      />
    </ReactionForm>
  );
}

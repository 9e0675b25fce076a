import { createContext, type MouseEvent, type ReactNode, useContext } from "react";
import { useRevalidateOn } from "#app/live/use-live.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Bookmark, Heart } from "#app/ui/icons.tsx";
import { shortCount } from "#domain/format.ts";
import { changeIn, type Reaction, reactionPath } from "./reaction.ts";
import { type ReactionControl, useReaction } from "./use-reaction.ts";

type ReactedPost = { id: string; liked: boolean; bookmarked: boolean; likesCount: number };

type Controls = Record<Reaction, ReactionControl> & { postId: string };

const ReactionsContext = createContext<Controls | null>(null);

export function Reactions({ post, cursor, children }: { post: ReactedPost; cursor: string; children: ReactNode }) {
  const { id, liked, bookmarked, likesCount } = post;
  const like = useReaction(id, "like", { loaded: { on: liked, count: likesCount }, cursor });
  // The number of bookmarks isn’t shown.
  const bookmark = useReaction(id, "bookmark", { loaded: { on: bookmarked, count: 0 }, cursor });
  useRevalidateOn([`post:${id}`], cursor, (event) => Boolean(changeIn(event, id, "like") ?? changeIn(event, id, "bookmark")));
  return <ReactionsContext value={{ postId: id, like, bookmark }}>{children}</ReactionsContext>;
}

/** Without JavaScript the button submits a plain form. */
function useReactionForm(reaction: Reaction) {
  const controls = useContext(ReactionsContext);
  if (!controls) throw new Error("A reaction button needs <Reactions> around it");
  const { likes, bookmarks } = useRoot().site.features;
  const { postId, [reaction]: control } = controls;
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    // The second click of a double click must not undo the first.
    if (event.detail < 2) control.press();
  };
  const isOffered = reaction === "like" ? likes : bookmarks;
  const wrap = (button: ReactNode) =>
    isOffered && (
      <form method="post" action={reactionPath(postId)}>
        <input type="hidden" name="reaction" value={reaction} />
        <input type="hidden" name="wanted" value={control.on ? "no" : "yes"} />
        {button}
      </form>
    );
  return { ...control, wrap, button: { type: "submit", "aria-pressed": control.on, onClick } as const };
}

const filled = "[&_svg]:fill-accent [&_svg]:text-accent";

export function LikeButton() {
  const { on, count, touched, wrap, button } = useReactionForm("like");
  return wrap(
    <Button {...button} icon={Heart} className={classNames(on && filled, on && touched && "[&_svg]:animate-beat")}>
      <span className="num">{shortCount(count)}</span> {count === 1 ? "Like" : "Likes"}
    </Button>,
  );
}

export function BookmarkButton() {
  const { on, wrap, button } = useReactionForm("bookmark");
  return wrap(
    <Button {...button} icon={Bookmark} className={on ? filled : undefined}>
      {on ? "Bookmarked" : "Bookmark"}
    </Button>,
  );
}

export function BookmarkIcon() {
  const { on, wrap, button } = useReactionForm("bookmark");
  return wrap(
    <IconButton {...button} label={on ? "Remove bookmark" : "Bookmark"} icon={Bookmark} className={classNames("-mr-2.5", on && filled)} />,
  );
}

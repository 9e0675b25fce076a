import { useState } from "react";
import { useRevalidator } from "react-router";
import { useLive } from "#app/live/use-live.ts";
import { Button } from "#app/ui/button.tsx";
import { ArrowUp } from "#app/ui/icons.tsx";
import type { PagedPosts } from "./paged-list.ts";

export type NewPosts = {
  count: number;
  /** A key for the list: it changes when new posts are shown, and the list begins at the top. */
  shown: number;
  show(): void;
};

type ListPosition = { cursor: string; search: string /** Not newest first. */; sorted?: boolean };

export function useNewPosts(listing: PagedPosts, { cursor, search, sorted = false }: ListPosition): NewPosts {
  const { revalidate } = useRevalidator();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState(0);
  const show = async () => {
    await revalidate();
    setIds(new Set());
    setShown((times) => times + 1);
  };
  useLive(
    search || sorted || listing.after ? [] : ["posts"],
    ({ type, data }) => {
      if (type === "gap") void show();
      else if (type === "post.published") setIds((known) => new Set(known).add(data.id));
    },
    cursor,
  );
  const listed = new Set(listing.posts.map(({ id }) => id));
  return { count: [...ids].filter((id) => !listed.has(id)).length, shown, show: () => void show() };
}

type NewPostsButtonProps = { count: number; author?: string | undefined; onShow: () => void };

export function NewPostsButton({ count, author, onShow }: NewPostsButtonProps) {
  const one = author === undefined ? "1 new story" : `New story from ${author}`;
  return (
    <div role="status">
      {count > 0 && (
        <div className="mt-6 flex animate-rise justify-center">
          <Button variant="soft" size="sm" icon={ArrowUp} onClick={onShow}>
            {count === 1 ? one : `${count} new stories`}
          </Button>
        </div>
      )}
    </div>
  );
}

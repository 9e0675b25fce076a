import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { fetchJson } from "#app/browser/fetch-json.ts";
import { useLive } from "#app/live/use-live.ts";
import { NewPostsButton } from "#app/posts/lists/new-posts.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";

/** Shows a toast for each new story by a followed member, on every page. */
export function FollowedPostToasts() {
  const { viewer } = useRoot();
  const { revalidate } = useRevalidator();
  const id = viewer?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another viewer follows other members.
  useEffect(() => forgetFollowed, [id]);
  useFollowedPosts(id, ({ userName }) => showToast({ tone: "info", text: `New story from ${userName}` }));
  useLive(id ? [`user:${id}`] : [], ({ type }) => {
    if (type !== "follow.changed") return;
    forgetFollowed();
    void revalidate();
  });
  return null;
}

export function FollowedPostsButton({ onShow }: { onShow: () => void }) {
  const [names, setNames] = useState<string[]>([]);
  useFollowedPosts(useRoot().viewer?.id, ({ userName }) => setNames((known) => [...known, userName]));
  return <NewPostsButton count={names.length} author={names[0]} onShow={onShow} />;
}

type PublishedPost = { id: string; userId: string; userName: string };

export function useFollowedPosts(viewerId: string | undefined, onPublished: (post: PublishedPost) => void): void {
  useLive(viewerId ? ["posts"] : [], ({ type, data }) => {
    if (type !== "post.published" || data.userId === viewerId) return;
    void followsMember(data.userId).then((follows) => follows && onPublished(data));
  });
}

let request: Promise<Set<string>> | undefined;

/** Requests the followed members on first use, and again after a failure. */
async function followsMember(userId: string): Promise<boolean> {
  request ??= fetchJson<{ ids: string[] }>("/following/ids")
    .then(({ ids }) => new Set(ids))
    .catch(() => {
      forgetFollowed();
      return new Set<string>();
    });
  return (await request).has(userId);
}

function forgetFollowed(): void {
  request = undefined;
}

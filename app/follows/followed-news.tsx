import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useLive } from "#app/live/use-live.ts";
import { useAddStory } from "#app/live/waiting.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { followsMember, forgetFollowed } from "./followed-ids.ts";

export function FollowedNews() {
  const { viewer } = useRoot();
  const { revalidate } = useRevalidator();
  const addStory = useAddStory();
  const id = viewer?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another viewer follows other members.
  useEffect(() => forgetFollowed, [id]);
  useLive(id ? ["posts"] : [], ({ type, data }) => {
    if (type !== "post.published" || data.userId === id) return;
    void followsMember(data.userId).then((follows) => {
      if (!follows) return;
      showToast({ tone: "info", text: `New story from ${data.userName}` });
      addStory(data.id);
    });
  });
  useLive(id ? [`user:${id}`] : [], ({ type }) => {
    if (type !== "follow.changed") return;
    forgetFollowed();
    void revalidate();
  });
  return null;
}

import { useState } from "react";
import { useLive } from "#app/live/use-live.ts";
import { Button } from "#app/ui/button.tsx";
import { ArrowUp } from "#app/ui/icons.tsx";
import { followsMember } from "./followed-ids.ts";

export function FollowedPostsButton({ onShow }: { onShow: () => void }) {
  const [names, setNames] = useState<string[]>([]);
  useLive(["posts"], ({ type, data }) => {
    if (type !== "post.published") return;
    void followsMember(data.userId).then((follows) => follows && setNames((known) => [...known, data.userName]));
  });
  const [first] = names;
  return (
    <div role="status">
      {first !== undefined && (
        <div className="mt-6 flex animate-rise justify-center">
          <Button variant="soft" size="sm" icon={ArrowUp} onClick={onShow}>
            {names.length === 1 ? `New story from ${first}` : `${names.length} new stories`}
          </Button>
        </div>
      )}
    </div>
  );
}

import { useRoot } from "#app/shell/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Personal } from "#app/ui/personal.tsx";

export function OwnAvatar() {
  return (
    <Personal as="span" className="contents">
      <ViewerAvatar />
    </Personal>
  );
}

function ViewerAvatar() {
  const { viewer } = useRoot();
  return viewer && <Avatar {...viewer} size={28} />;
}

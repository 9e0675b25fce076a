import { matchPath, useNavigation } from "react-router";
import { useSlow } from "#app/shell/use-slow.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import type { Person } from "#domain/messages/message.ts";

/** The partner from the link's state, to show while the chat loads. */
export function partnerOf(state: unknown, id: string): Person {
  const knownPartner = (state as { partner?: Person } | null)?.partner;
  return knownPartner?.id === id ? knownPartner : { id, name: "", profileImage: null };
}

/** The chat being opened; `isSlow` once it should show a skeleton. */
export function useOpening(): { partner: Person; isSlow: boolean } | undefined {
  const { location } = useNavigation();
  const id = location && matchPath("/messages/:userId", location.pathname)?.params.userId;
  const isSlow = useSlow(id);
  return id ? { partner: partnerOf(location.state, id), isSlow } : undefined;
}

const bubbles = ["w-2/3", "w-1/2", "w-3/5 self-end", "w-1/3 self-end", "w-1/2"];

export function OpeningChat({ partner }: { partner: Person }) {
  return (
    <section aria-label="Chat" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-16 shrink-0 items-center gap-3 border-b border-line bg-paper px-4 lg:h-[72px] lg:px-5">
        <Avatar {...partner} size={40} />
        <p className="min-w-0 flex-1 truncate text-md font-semibold">{partner.name}</p>
        <Spinner label="Opening the conversation…" />
      </div>
      <div className="mx-auto flex w-full max-w-[52rem] flex-1 flex-col justify-end gap-3 px-3 pb-4">
        {bubbles.map((shape) => (
          <Skeleton key={shape} className={`h-12 max-w-[30rem] rounded-xl! ${shape}`} />
        ))}
      </div>
    </section>
  );
}

import { useEffect, useRef } from "react";
import { Button, IconButton } from "#app/ui/button.tsx";
import { SearchInput } from "#app/ui/field.tsx";
import { X } from "#app/ui/icons.tsx";
import type { ChatSearching } from "./use-chat-search.ts";

type ChatSearchProps = { search: ChatSearching; onClose(): void };

export function ChatSearch({ search: { found, more, loading, term, setTerm, searchOlder }, onClose }: ChatSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <search className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-paper px-3 py-2.5 lg:px-5">
      <SearchInput
        label="Search messages"
        placeholder="Search in this chat"
        ref={field}
        onChange={(event) => setTerm(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
        className="min-w-40 flex-1"
      />
      <span role="status" className="num text-sm text-ink-2">
        {found && `${found.length} found`}
      </span>
      {term !== "" && more && (
        <Button size="sm" busy={loading} onClick={searchOlder}>
          Search older messages
        </Button>
      )}
      <IconButton label="Close search" icon={X} onClick={onClose} />
    </search>
  );
}

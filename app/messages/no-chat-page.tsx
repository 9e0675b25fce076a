import { useRoot } from "#app/shell/root-data.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { messageTexts } from "#domain/messages/message.ts";

export default function NoChatPage() {
  const { messages } = useRoot().site.features;
  const text = messages ? "Pick someone on the left, or search for someone to write to." : messageTexts.turnedOff;
  return (
    <section aria-label="Chat" className="flex flex-1 items-center justify-center bg-sunken/50 max-lg:hidden">
      <EmptyState art="messages" large title="Select a conversation" text={text} />
    </section>
  );
}

import { EmptyState } from "#app/ui/empty-state.tsx";

export default function NoChatPage() {
  return (
    <section aria-label="Chat" className="flex flex-1 items-center justify-center bg-sunken/50 max-lg:hidden">
      <EmptyState art="letters" large title="Select a conversation" text="Pick someone on the left, or search for someone to write to." />
    </section>
  );
}

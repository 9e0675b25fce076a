import { useRoot } from "#app/shell/root-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { MessageCircle } from "#app/ui/icons.tsx";

/** Opens the chat with a person, also when the two have never written. */
export function MessageButton({ to, variant }: { to: string; variant?: "primary" }) {
  if (!useRoot().site.features.messages) return null;
  return (
    <ButtonLink to={`/messages/${to}`} variant={variant} icon={MessageCircle}>
      Message
    </ButtonLink>
  );
}

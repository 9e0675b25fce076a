import { useLocation } from "react-router";
import { loginPath } from "#app/shell/refusals.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** The session ended on this page (messaging and administration §2). The browser keeps unsent text. */
export function LogInPrompt() {
  const { pathname } = useLocation();
  return (
    <section aria-label="Chat" className="flex flex-1 items-center justify-center">
      <EmptyState art="messages" large title="Please Log In">
        <ButtonLink to={loginPath(pathname)} variant="primary" reloadDocument>
          Log In
        </ButtonLink>
      </EmptyState>
    </section>
  );
}

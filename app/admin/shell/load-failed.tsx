import { useEffect } from "react";
import { useLocation } from "react-router";
import { loadFailure } from "#app/shell/load-failure-texts.ts";
import { showLoadFailure } from "#app/shell/preserve-screen.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RefreshCw } from "#app/ui/icons.tsx";

export function LoadFailed() {
  const { pathname, search, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failed attempt.
  useEffect(() => showLoadFailure(loadFailure(pathname)), [pathname, key]);
  return (
    <EmptyState art="spill" heading="h1" title={loadFailure(pathname).text ?? ""} text="Nothing you saved is lost." className="py-24">
      <ButtonLink to={pathname + search} replace preventScrollReset variant="primary" icon={RefreshCw}>
        Try Again
      </ButtonLink>
    </EmptyState>
  );
}

import { useLocation, useRevalidator } from "react-router";
import { countLoadFailures } from "#app/shell/preserve-screen.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { RefreshCw } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

/** Without JavaScript a link that reloads the page. */
export function RefreshButton({ toast }: { toast: string }) {
  const { revalidate, state } = useRevalidator();
  const { pathname, search } = useLocation();
  if (!useHydrated())
    return (
      <ButtonLink to={pathname + search} icon={RefreshCw}>
        Refresh
      </ButtonLink>
    );
  const refresh = async () => {
    const before = countLoadFailures();
    await revalidate();
    if (countLoadFailures() === before) showToast({ tone: "success", text: toast });
  };
  return (
    <Button icon={RefreshCw} busy={state === "loading"} onClick={() => void refresh()}>
      Refresh
    </Button>
  );
}

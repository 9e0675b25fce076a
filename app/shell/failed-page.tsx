import { useLocation } from "react-router";
import { RequestId } from "#app/errors/request-id.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RefreshCw, RotateCw } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import { listTexts } from "#domain/pages/list-texts.ts";

type FailedPageProps = {
  text: string;
  reload?: boolean;
};

export function FailedPage({ text, reload = false }: FailedPageProps) {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  return (
    <div className={`${column} flex min-h-[60vh] flex-col justify-center`}>
      <div role="alert">
        <EmptyState art="spill" heading="h1" title={listTexts.heading} text={text}>
          <ButtonLink to={here} replace preventScrollReset variant="primary" icon={RefreshCw}>
            Try Again
          </ButtonLink>
          {reload && (
            <ButtonLink to={here} reloadDocument icon={RotateCw}>
              Reload Page
            </ButtonLink>
          )}
        </EmptyState>
        <RequestId />
      </div>
    </div>
  );
}

import { isRouteErrorResponse, useLocation } from "react-router";
import { RequestId } from "#app/errors/request-id.tsx";
import { Wordmark } from "#app/shell/frame/wordmark.tsx";
import { Mark } from "#app/ui/art/mark.tsx";
import { EmptyPlotScene } from "#app/ui/art/scene.tsx";
import { Spot } from "#app/ui/art/spot.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ArrowLeft, House, RotateCw } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import { limitMessage } from "./closed.ts";
import { useGoBack } from "./go-back.ts";

export function isNotFound(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404;
}

export function NotFoundPage() {
  return (
    <div className="relative flex flex-1 flex-col overflow-hidden">
      <div className={`${column} relative z-10 flex min-h-[788px] flex-col items-center pt-16 text-center lg:min-h-[836px] lg:pt-20`}>
        <div
          aria-hidden
          className="display flex items-end justify-center gap-1 text-[8.5rem] font-[420]! leading-[.72]! tracking-tight lg:gap-3 lg:text-[11.5rem]"
        >
          <span>4</span>
          <span className="pb-[.075em] text-ink">
            <Mark className="h-[6.1rem] shrink-0 lg:h-[8.3rem]" />
          </span>
          <span>4</span>
        </div>
        <h1 className="display mt-9 text-d1 lg:text-d2">Page Not Found</h1>
        <p className="mt-3 max-w-md font-reading text-lg text-ink-2">
          Nobody lives at this address. The story may have moved, or it may never have been written.
        </p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          <GoBack />
          <ButtonLink to="/" size="lg" variant="primary" icon={House}>
            Go Home
          </ButtonLink>
        </div>
      </div>
      <EmptyPlotScene className="absolute inset-x-0 bottom-0 h-[190px] w-full lg:h-[260px]" />
    </div>
  );
}

/** One step back in the browser's history; home without JavaScript or without a history. */
function GoBack() {
  return (
    <ButtonLink to="/" size="lg" icon={ArrowLeft} onClick={useGoBack({ mayLeaveSite: true })}>
      Go Back
    </ButtonLink>
  );
}

export function OopsPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  return (
    <>
      <header className="flex h-20 items-center px-5 sm:px-8">
        <Wordmark className="text-[1.9rem]" />
      </header>
      <main id="main" className="flex min-h-[700px] flex-col items-center justify-center px-5 text-center lg:min-h-[740px]">
        <Spot name="spill" className="w-72 max-w-full lg:w-[23rem]" />
        <h1 className="display mt-6 text-d1 lg:text-d2">Oops! Something went wrong</h1>
        <p className="mt-3 max-w-md font-reading text-lg text-ink-2">{reasonOf(error)}</p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          <ButtonLink to={pathname + search} reloadDocument size="lg" variant="primary" icon={RotateCw}>
            Reload Page
          </ButtonLink>
          <ButtonLink to="/" reloadDocument size="lg" icon={House}>
            Go Home
          </ButtonLink>
        </div>
        <RequestId />
        {import.meta.env.DEV && error instanceof Error && (
          <pre className="mt-10 max-w-full overflow-x-auto rounded-lg bg-sunken p-4 text-left text-xs">{error.stack}</pre>
        )}
      </main>
    </>
  );
}

const defaultReason = "Something went wrong while loading this page. Nothing you saved is lost.";

export function reasonOf(error: unknown): string {
  const serverMessage = isRouteErrorResponse(error) && error.status < 500 ? (error.data as { message?: unknown } | null)?.message : null;
  const message = limitMessage(error) ?? serverMessage;
  return typeof message === "string" && message ? `${message.replace(/\.$/, "")}.` : defaultReason;
}

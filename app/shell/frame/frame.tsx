import type { ReactNode } from "react";
import { useMatches } from "react-router";
import { FollowedPostToasts } from "#app/follows/followed-posts.tsx";
import { ProfileUpdates } from "#app/live/live-profiles.ts";
import { Toasts, ToastWithoutScript } from "#app/shell/toasts.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { NavigationProgress } from "./progress.tsx";
import { UnconfirmedBanner } from "./unconfirmed-banner.tsx";
import { MaintenanceBanner, SuspendedBanner } from "./warning-banners.tsx";

/**
 * The frame of a screen, from the route module's `export const handle: FrameHandle = { frame: … }`. `full` has header and footer, `app` a
 * header over the whole width and no footer, `bare` neither; the layout of `admin` has its own header and `main`.
 */
export type FrameHandle = { frame: "full" | "app" | "bare" | "admin" };

export function Frame({ frame, children }: { frame: FrameHandle["frame"]; children: ReactNode }) {
  const hasHeader = frame === "full" || frame === "app";
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <ListSkeleton />
      <div id="top" className="flex min-h-dvh flex-col outline-none">
        {frame !== "bare" && <MaintenanceBanner />}
        {hasHeader && <Header fullBleed={frame === "app"} />}
        {hasHeader && <UnconfirmedBanner />}
        {hasHeader && <SuspendedBanner />}
        <ToastWithoutScript />
        {frame === "admin" ? (
          children
        ) : (
          <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
            {children}
          </main>
        )}
        {frame === "full" && <Footer />}
      </div>
      {/* After the page, whose own effects move the focus first. */}
      <NavigationProgress />
      <Toasts />
      <ProfileUpdates />
      <FollowedPostToasts />
    </>
  );
}

export function useFrame(): FrameHandle["frame"] {
  const handles = useMatches().map(({ handle }) => handle as Partial<FrameHandle> | undefined);
  return handles.findLast((handle) => handle?.frame)?.frame ?? "full";
}

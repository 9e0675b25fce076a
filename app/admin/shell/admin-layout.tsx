import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { BellLink } from "#app/notifications/bell-link.tsx";
import { isRequestFailure } from "#app/shell/closed.ts";
import { isNotFound, reasonOf } from "#app/shell/error-page.tsx";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { ThemeMenu } from "#app/shell/theme/theme-switch.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/admin-layout.ts";
import { AdminMenuButton, AdminMenuSheet, AdminSearch, AdminSidebar } from "./admin-nav.tsx";
import { Challenge, challengeIn } from "./challenge.tsx";
import { LoadFailed } from "./load-failed.tsx";

export const handle: FrameHandle = { frame: "admin" };

/** A route without a loader would not be guarded. */
export const loader = () => null;

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Admin Dashboard" });

export default function AdminLayout() {
  return (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const challenge = challengeIn(error);
  if (challenge)
    return (
      <AdminFrame>
        <Challenge {...challenge} />
      </AdminFrame>
    );
  return <AdminFrame>{isRequestFailure(error) ? <LoadFailed /> : <Refused error={error} />}</AdminFrame>;
}

function Refused({ error }: { error: unknown }) {
  const [title, text] = isNotFound(error)
    ? ["Page Not Found", "It may have been deleted, or it never existed."]
    : ["We can’t show this", reasonOf(error)];
  return (
    <EmptyState art="search" heading="h1" title={title} text={text} className="py-24">
      <ButtonLink to="/admin">Dashboard</ButtonLink>
    </EmptyState>
  );
}

function AdminFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-1">
      <AdminSidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <AdminHeader />
        <main id="main" tabIndex={-1} className="flex-1 px-4 py-6 outline-none lg:px-8 lg:py-8">
          <div className="mx-auto max-w-[1140px]">{children}</div>
        </main>
      </div>
    </div>
  );
}

function AdminHeader() {
  const { viewer } = useRoot();
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line bg-paper px-4 lg:h-16 lg:px-8">
      <AdminMenuButton />
      <AdminMenuSheet />
      <span className="whitespace-nowrap text-md font-semibold">Admin Dashboard</span>
      <div className="flex-1" />
      <AdminSearch className="hidden w-72 md:block" />
      <span className="max-sm:hidden">
        <ThemeMenu />
      </span>
      <BellLink />
      {viewer && (
        <div className="flex items-center gap-2.5 max-[359px]:hidden">
          <Avatar {...viewer} size={36} />
          <div className="hidden leading-tight sm:block">
            <div className="max-w-44 truncate text-base font-semibold">{viewer.name}</div>
            <div className="text-xs text-ink-2">{viewer.staff === "moderator" ? "Moderator" : "Administrator"}</div>
          </div>
        </div>
      )}
    </header>
  );
}

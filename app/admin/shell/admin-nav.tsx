import { Form, useLocation } from "react-router";
import { isWithin } from "#app/shell/frame/navigation.ts";
import { openAsDialog, Sheet } from "#app/shell/frame/sheet.tsx";
import { Wordmark } from "#app/shell/frame/wordmark.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { ThemeChoices } from "#app/shell/theme/theme-switch.tsx";
import { CounterBadge } from "#app/ui/badge.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { SearchInput } from "#app/ui/field.tsx";
import type { Icon } from "#app/ui/icon.ts";
import {
  Bug,
  ChartColumn,
  Database,
  Flag,
  FolderOpen,
  LayoutDashboard,
  Mail,
  Menu,
  MessageCircle,
  Newspaper,
  ScrollText,
  Settings,
  Undo2,
  Users,
  Webhook,
} from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type Action, isRoleAllowed } from "#domain/permissions.ts";

type AdminPage = { to: string; label: string; icon: Icon; needs: Action; within?: string };

/** In the order of the specification (messaging and administration §2), then our own. */
const pages: AdminPage[] = [
  { to: "/admin", label: "Dashboard", icon: LayoutDashboard, needs: "see the dashboard" },
  { to: "/admin/posts", label: "Posts", icon: Newspaper, needs: "moderate stories" },
  { to: "/admin/users", label: "Users", icon: Users, needs: "list members" },
  { to: "/admin/messages", label: "Messages", icon: MessageCircle, needs: "read private messages" },
  { to: "/admin/analytics", label: "Analytics", icon: ChartColumn, needs: "see analytics" },
  { to: "/admin/reports", label: "Reports", icon: Flag, needs: "handle reports" },
  { to: "/admin/database", label: "Database", icon: Database, needs: "see the database" },
  { to: "/admin/settings", label: "Settings", icon: Settings, needs: "see settings", within: "/admin/staff" },
  { to: "/admin/files", label: "Files", icon: FolderOpen, needs: "see files" },
  { to: "/admin/emails", label: "Emails", icon: Mail, needs: "manage emails" },
  { to: "/admin/webhooks", label: "Webhooks", icon: Webhook, needs: "see webhooks" },
  { to: "/admin/errors", label: "Errors", icon: Bug, needs: "see errors" },
  { to: "/admin/audit", label: "Audit log", icon: ScrollText, needs: "see the audit log" },
];

/** Long site names wrap to a second line. */
const twoLines = "[&>span]:line-clamp-2 [&>span]:leading-[1.05] [&>span]:whitespace-normal [&>span]:[overflow-wrap:anywhere]";

export function AdminSidebar() {
  return (
    <aside className="hidden w-[236px] shrink-0 border-r border-line bg-sunken lg:block">
      <div className="sticky top-0 flex h-dvh flex-col overflow-y-auto">
        <Wordmark className={`min-h-16 shrink-0 px-5 py-2 text-[1.7rem] ${twoLines}`} />
        <AdminLinks />
      </div>
    </aside>
  );
}

function AdminLinks() {
  const { viewer } = useRoot();
  const { pathname } = useLocation();
  return (
    <>
      <nav className="flex-1 px-3 pt-3" aria-label="Admin">
        <ul>
          {pages
            .filter(({ needs }) => isRoleAllowed(viewer?.staff, needs))
            .map((page) => (
              <li key={page.to}>
                <AdminLink {...page} current={pathname === page.within || isWithin(page.to, pathname, page.to === "/admin")} />
              </li>
            ))}
        </ul>
      </nav>
      <div className="border-t border-line p-3">
        <Link
          to="/"
          className="flex h-10 items-center gap-3 rounded-md px-3 text-base font-medium text-ink-2 hover:bg-hover hover:text-ink max-lg:h-12"
        >
          <Undo2 aria-hidden className="size-[18px] shrink-0 text-ink-3" />
          Back to Website
        </Link>
      </div>
    </>
  );
}

function AdminLink({ to, label, icon: IconComponent, current }: AdminPage & { current: boolean }) {
  const { reports } = useRoot();
  return (
    <Link
      to={to}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "relative mb-0.5 flex h-10 items-center gap-3 rounded-md px-3 text-base max-lg:h-12",
        current ? "bg-raised font-semibold text-ink shadow-sm" : "font-medium text-ink-2 hover:bg-hover hover:text-ink",
      )}
    >
      {current && <span aria-hidden className="absolute inset-y-2 -left-3 w-[3px] rounded-r-full bg-accent" />}
      <IconComponent aria-hidden className={classNames("size-[18px] shrink-0", current ? "text-accent-ink" : "text-ink-3")} />
      <span className="flex-1">{label}</span>
      {to === "/admin/reports" && <CounterBadge count={reports} label="waiting" />}
    </Link>
  );
}

const sheetId = "admin-menu";

export function AdminMenuButton() {
  return (
    <span className="-ml-2.5 lg:hidden">
      <IconButton label="Menu" icon={Menu} popoverTarget={sheetId} onClick={openAsDialog(sheetId)} />
    </span>
  );
}

export function AdminMenuSheet() {
  return (
    <Sheet
      id={sheetId}
      className="w-72 max-w-[85vw] border-r border-line bg-sunken shadow-lg backdrop:bg-(--scrim)"
      headClassName="px-5"
      wordmarkClassName={`text-[1.6rem] ${twoLines}`}
    >
      <AdminSearch className="px-3 pt-2 md:hidden" />
      <AdminLinks />
      <div className="border-t border-line px-4 py-3 sm:hidden">
        <ThemeChoices />
      </div>
    </Sheet>
  );
}

export function AdminSearch({ className }: { className: string }) {
  return (
    <Form method="get" action="/admin/posts" role="search" aria-label="All posts" className={className}>
      <SearchInput name="q" placeholder="Search..." label="Search posts" quiet maxLength={200} />
    </Form>
  );
}

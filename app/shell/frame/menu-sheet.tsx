import { type MouseEvent, useState } from "react";
import { flushSync } from "react-dom";
import { Form, useLocation } from "react-router";
import { NotificationsBadge, UnreadBadge } from "#app/live/unread-counts.tsx";
import { BellLink } from "#app/notifications/bell-link.tsx";
import { OwnAvatar } from "#app/shell/frame/own-avatar.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { ThemeChoices } from "#app/shell/theme/theme-switch.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ChevronRight, LogOut, Menu, Search } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { messagesLink, notificationsLink, profileLink, type SiteLink, sheetLinks, useLinkState } from "./navigation.ts";
import { SearchForm } from "./search-form.tsx";
import { openAsDialog, Sheet, sheetOf } from "./sheet.tsx";

const sheetId = "site-menu";

/** Open the menu of narrow screens, which is rendered on demand; without JavaScript it is a page. */
export function OpenMenuButtons() {
  const { viewer } = useRoot();
  const { pathname, search } = useLocation();
  const [rendered, setRendered] = useState(false);
  const open = (event: MouseEvent) => {
    // Synchronous: phones show the keyboard only if the field is focused within the touch event.
    flushSync(() => setRendered(true));
    openAsDialog(sheetId)(event);
  };
  const openForSearch = (event: MouseEvent) => {
    open(event);
    sheetOf(sheetId).querySelector<HTMLInputElement>("input[type=search]")?.focus();
  };
  return (
    <>
      <form action="/menu" className="-mr-2.5 flex items-center lg:hidden">
        <input type="hidden" name="from" value={pathname + search} />
        <BellLink />
        <IconButton type="submit" label="Search" icon={Search} onClick={openForSearch} />
        {viewer && (
          <Link to="/profile" className="inline-flex size-11 items-center justify-center max-[359px]:hidden">
            <OwnAvatar />
            <span className="sr-only">Profile</span>
          </Link>
        )}
        <span className="relative">
          <IconButton type="submit" label="Menu" icon={Menu} onClick={open} />
          <UnreadBadge className="in-corner right-0.5 left-auto!" />
        </span>
      </form>
      {rendered && (
        <Sheet
          id={sheetId}
          className="w-full max-w-none bg-paper"
          headClassName="border-b border-line px-4"
          wordmarkClassName="text-[1.7rem]"
        >
          <SiteMenu next={pathname + search} />
        </Sheet>
      )}
    </>
  );
}

/** `next`: the page to return to. */
export function SiteMenu({ next }: { next: string }) {
  const { viewer, site, search } = useRoot();
  return (
    <>
      <SearchForm size="lg" className="p-4" />
      <nav className="flex-1 px-4" aria-label="Menu">
        <ul>
          {sheetLinks({ viewer, site, search, next }).map(({ to, label }) => (
            <li key={label}>
              <SheetLink to={to} label={label} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="px-4 pb-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
          <span aria-hidden className="text-base font-medium">
            Theme
          </span>
          <ThemeChoices />
        </div>
        {viewer && (
          <div className="flex items-center gap-3 border-t border-line pt-4">
            <Avatar {...viewer} size={44} />
            <div className="min-w-0 flex-1">
              <p className="truncate text-base font-semibold">{viewer.name}</p>
              <p className="truncate text-sm text-ink-2">{viewer.email}</p>
            </div>
            <Form method="post" action="/logout">
              <Button type="submit" icon={LogOut}>
                Logout
              </Button>
            </Form>
          </div>
        )}
      </div>
    </>
  );
}

function SheetLink({ to, label }: SiteLink) {
  const { current, isNext } = useLinkState(to, label === "Home" || to === profileLink.to);
  return (
    <Link
      to={to}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "display flex h-16 items-center justify-between border-b border-line text-t3 leading-none! -outline-offset-2",
        (current || isNext) && "text-accent-ink",
      )}
    >
      <span className="flex items-center gap-3">
        {label}
        {to === notificationsLink.to && <NotificationsBadge className="font-sans" />}
        {to === messagesLink.to && <UnreadBadge className="font-sans" />}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}

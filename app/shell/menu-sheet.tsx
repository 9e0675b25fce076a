import { ChevronRight, LogOut, Menu, Search, X } from "lucide-react";
import { type MouseEvent, useEffect, useRef } from "react";
import { Form, Link, NavLink, useLocation } from "react-router";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { sheetLinks } from "./navigation.ts";
import { useRoot } from "./root-data.ts";
import { SearchForm } from "./search-form.tsx";
import { ThemeChoices } from "./theme-switch.tsx";
import { Wordmark } from "./wordmark.tsx";

const sheetId = "site-menu";

const sheet = () => document.getElementById(sheetId) as HTMLDialogElement;

/**
 * The browser opens the sheet by itself, as a popover; with JavaScript it becomes a modal dialog instead, which keeps
 * the focus inside.
 */
function openAsDialog(event: MouseEvent) {
  event.preventDefault();
  sheet().showModal();
}

function openForSearch(event: MouseEvent) {
  openAsDialog(event);
  sheet().querySelector<HTMLInputElement>("input[type=search]")?.focus();
}

/** What the header shows on narrow screens in place of its links. */
export function OpenMenuButtons() {
  const { viewer } = useRoot();
  return (
    <div className="-mr-2.5 flex items-center lg:hidden">
      <IconButton label="Search" icon={Search} popoverTarget={sheetId} onClick={openForSearch} />
      {viewer && (
        <Link to="/profile" aria-label="Profile" className="inline-flex size-11 items-center justify-center">
          <Avatar {...viewer} size={28} />
        </Link>
      )}
      <IconButton label="Menu" icon={Menu} popoverTarget={sheetId} onClick={openAsDialog} />
    </div>
  );
}

export function MenuSheet() {
  const { viewer } = useRoot();
  const dialog = useRef<HTMLDialogElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: wherever a link or a form leads, the sheet goes.
  useEffect(() => dialog.current?.close(), [key]);
  return (
    <dialog
      ref={dialog}
      id={sheetId}
      popover="auto"
      aria-label="Menu"
      className="m-0 h-dvh max-h-none w-full max-w-none flex-col overflow-y-auto overscroll-contain bg-paper text-ink open:flex lg:hidden"
    >
      <div className="flex h-14 shrink-0 items-center justify-between border-b border-line px-4">
        <Wordmark className="text-[1.7rem]" />
        <IconButton
          label="Close menu"
          icon={X}
          popoverTarget={sheetId}
          popoverTargetAction="hide"
          onClick={(event) => {
            event.preventDefault();
            sheet().close();
          }}
          className="-mr-2.5"
        />
      </div>
      <SearchForm size="lg" className="p-4" />
      <nav className="flex-1 px-4" aria-label="Menu">
        <ul>
          {sheetLinks(viewer).map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === "/" || to === "/profile"}
                className={({ isActive }) =>
                  classNames(
                    "display flex h-16 items-center justify-between border-b border-line text-t3 leading-none! -outline-offset-2",
                    isActive && "text-accent-ink",
                  )
                }
              >
                {label}
                <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
              </NavLink>
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
    </dialog>
  );
}

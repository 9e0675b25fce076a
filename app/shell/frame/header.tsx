import { Form, useLocation } from "react-router";
import { UnreadBadge } from "#app/live/unread-counts.tsx";
import { BellLink } from "#app/notifications/bell-link.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { ThemeMenu } from "#app/shell/theme/theme-switch.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { LogOut, MessageCircle } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { column } from "#app/ui/panel.tsx";
import { OpenMenuButtons } from "./menu-sheet.tsx";
import { adminLink, isStaff, mainLinks, messagesLink, profileLink, type SiteLink, useLinkState, visitorLinks } from "./navigation.ts";
import { OwnAvatar } from "./own-avatar.tsx";
import { SearchForm } from "./search-form.tsx";
import { Wordmark } from "./wordmark.tsx";

export function Header({ fullBleed = false }: { fullBleed?: boolean }) {
  const root = useRoot();
  const { viewer } = root;
  const links = [...mainLinks(root), ...(isStaff(viewer) ? [adminLink] : [])];
  return (
    <header className="relative z-(--z-header) border-b border-line bg-paper">
      <div className={classNames("flex h-14 items-center gap-2 lg:h-16", fullBleed ? "px-4 sm:px-6" : column)}>
        <Wordmark twice="drawn" className="max-w-[45vw] text-[1.7rem] lg:mr-6 lg:shrink-0 lg:max-w-56 lg:text-[1.8rem] xl:max-w-80" />
        <nav className="hidden lg:flex" aria-label="Main">
          {links.map((link) => (
            <MainLink key={link.label} {...link} />
          ))}
        </nav>
        <div className="flex-1" />
        <SearchForm quiet className="hidden w-64 min-w-36 shrink lg:block xl:w-72" />
        <div className="hidden items-center gap-1 lg:flex">
          <BellLink />
          {viewer && <MessagesLink />}
          <ThemeMenu />
          {viewer ? <MemberLinks /> : <VisitorLinks />}
        </div>
        <OpenMenuButtons />
      </div>
    </header>
  );
}

function MainLink({ to, label }: SiteLink) {
  const { current, isNext } = useLinkState(to, label === "Home");
  return (
    <Link to={to} aria-current={current ? "page" : undefined} className={classNames("main-link", isNext && "text-ink")}>
      {label}
      {(current || isNext) && (
        <span aria-hidden className={classNames("absolute inset-x-3 -bottom-px h-0.5 bg-accent", isNext && "opacity-50")} />
      )}
    </Link>
  );
}

function MessagesLink() {
  if (!useRoot().site.features.messages) return null;
  return (
    <Link to={messagesLink.to} title={messagesLink.label} className="square button md ghost relative">
      <MessageCircle aria-hidden />
      <span className="sr-only">{`${messagesLink.label} `}</span>
      <UnreadBadge className="in-corner" />
    </Link>
  );
}

function VisitorLinks() {
  const { site } = useRoot();
  const { pathname, search } = useLocation();
  return visitorLinks(pathname + search, site.registrationOpen).map(({ to, label }, index) => (
    <ButtonLink key={label} to={to} variant={index === 0 ? "ghost" : "primary"}>
      {label}
    </ButtonLink>
  ));
}

function MemberLinks() {
  const { viewer } = useRoot();
  const current = useLocation().pathname === profileLink.to;
  if (!viewer) return null;
  return (
    <>
      <Link
        to={profileLink.to}
        aria-current={current ? "page" : undefined}
        className={classNames("button md ghost gap-2.5 pr-3 pl-1.5", current && "font-semibold text-ink")}
      >
        <OwnAvatar />
        <span className={isStaff(viewer) ? "max-xl:sr-only" : undefined}>{profileLink.label}</span>
      </Link>
      <Form method="post" action="/logout" className="contents">
        <Button type="submit" variant="ghost" icon={LogOut} className="-mr-3 px-3!">
          Logout
        </Button>
      </Form>
    </>
  );
}

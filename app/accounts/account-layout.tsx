import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import type { Quote } from "#app/accounts/sign-in/quote.server.ts";
import { Wordmark } from "#app/shell/frame/wordmark.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { ThemeMenu } from "#app/shell/theme/theme-switch.tsx";
import { Scene } from "#app/ui/art/scene.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Link, type To } from "#app/ui/link.tsx";

type AccountLayoutProps = { title: string; intro?: ReactNode; quote: Quote | null; children?: ReactNode };

export function AccountLayout({ title, intro, quote, children }: AccountLayoutProps) {
  const { site, now } = useRoot();
  return (
    <div className="flex-1 lg:grid lg:grid-cols-2">
      <div className="flex min-h-dvh flex-col px-5 py-5 sm:px-10 lg:py-7">
        <div className="flex items-center justify-between gap-4">
          <Wordmark className="text-[1.8rem]" />
          <ThemeMenu />
        </div>
        <div className="mx-auto flex w-full max-w-[25rem] flex-1 flex-col justify-center py-10">
          <h1 className="display text-d1">{title}</h1>
          {intro && <p className="mt-1.5 text-md text-ink-2">{intro}</p>}
          {children}
        </div>
        <p className="num text-sm text-ink-3">
          © {new Date(now).getUTCFullYear()} {site.name}
        </p>
      </div>
      <aside className="relative hidden flex-col overflow-hidden border-l border-line bg-[var(--scene-sky)] lg:flex">
        <Scene className="absolute inset-x-0 bottom-0 h-[560px] w-full" />
        <div className="relative max-w-[34rem] p-14">
          {quote ? <Passage {...quote} /> : <p className="display-em text-balance text-t3 leading-[1.2]!">{site.description}</p>}
        </div>
      </aside>
    </div>
  );
}

function Passage({ text, title, author }: Quote) {
  return (
    <figure>
      <blockquote className="display-em text-balance text-t3 leading-[1.2]!">“{text}”</blockquote>
      <figcaption className="mt-5 flex items-center gap-3">
        <Avatar {...author} size={40} />
        <span className="min-w-0 text-base">
          <span className="block font-semibold leading-5">{author.name}</span>
          <span className="text-ink-2">{title}</span>
        </span>
      </figcaption>
    </figure>
  );
}

export function AccountLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <ButtonLink to={to} variant="primary" size="lg" className="mt-8 w-full">
      {children}
    </ButtonLink>
  );
}

/** A form that is nothing but its button. */
export function AccountButton({ busy, children }: { busy: string; children: ReactNode }) {
  const sending = useNavigation().formMethod === "POST";
  return (
    <Form method="post" className="mt-8">
      <Button type="submit" variant="primary" size="lg" busy={sending} busyLabel={busy} className="w-full">
        {children}
      </Button>
    </Form>
  );
}

export function TextLink({ to, children }: { to: To; children: ReactNode }) {
  return (
    <Link to={to} className="font-medium text-accent-ink underline decoration-accent-line underline-offset-4 hover:decoration-current">
      {children}
    </Link>
  );
}

import { Outlet } from "react-router";
import { siteContext } from "#app/context.ts";
import type { FrameHandle } from "#app/shell/frame/frame.tsx";
import { Wordmark } from "#app/shell/frame/wordmark.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { ThemeMenu } from "#app/shell/theme/theme-switch.tsx";
import { Scene } from "#app/ui/art/scene.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import type { Route } from "./+types/auth-layout.ts";
import { type Quote, readQuote } from "./sign-in/quote.server.ts";

export const handle: FrameHandle = { frame: "bare" };

export async function loader({ context }: Route.LoaderArgs) {
  return { quote: await readQuote(context.get(siteContext)) };
}

/** Around signing in, signing up and the links in account emails. */
export default function AuthLayout({ loaderData: { quote } }: Route.ComponentProps) {
  const { site, now } = useRoot();
  return (
    <div className="flex-1 lg:grid lg:grid-cols-2">
      <div className="flex min-h-dvh flex-col px-5 py-5 sm:px-10 lg:py-7">
        <div className="flex items-center justify-between gap-4">
          <Wordmark className="text-[1.8rem]" />
          <ThemeMenu />
        </div>
        <div className="mx-auto flex w-full max-w-[25rem] flex-1 flex-col justify-center py-10">
          <Outlet />
        </div>
        <p className="num text-sm text-ink-3">
          © {new Date(now).getUTCFullYear()} {site.name}
        </p>
      </div>
      <aside className="relative hidden flex-col overflow-hidden border-l border-line bg-[var(--scene-sky)] lg:flex">
        <Scene className="absolute inset-x-0 bottom-0 h-[560px] w-full" />
        <div className="relative max-w-[34rem] p-14">
          {quote ? <QuoteFigure {...quote} /> : <p className="display-em text-balance text-t3 leading-[1.2]!">{site.description}</p>}
        </div>
      </aside>
    </div>
  );
}

function QuoteFigure({ text, title, author }: Quote) {
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

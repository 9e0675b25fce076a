import "@fontsource-variable/geist-mono/index.css";
import "./theme/fonts/fonts.css";
import "./theme/fonts/fallbacks.css";
import "./app.css";
import { type ReactNode, useContext, useEffect } from "react";
import { data, Links, Meta, Outlet, ScrollRestoration, useNavigate } from "react-router";
import { closedContext, siteContext, viewerContext } from "#app/context.ts";
import { Frame, useFrame } from "#app/shell/frame/frame.tsx";
import { applyTheme, readTheme } from "#app/shell/theme/theme.ts";
import { ThemeColor } from "#app/shell/theme/theme-color.tsx";
import { ThemeScript } from "#app/shell/theme/theme-script.tsx";
import { isNewsletterOffered } from "#domain/newsletter/newsletter.ts";
import { readShellCounts } from "#domain/pages/shell.server.ts";
import { seconds } from "#platform/time.ts";
import type { Route } from "./+types/root.ts";
import { UnreadCountsProvider } from "./live/unread-counts.tsx";
import { useMessageQueueInBackground } from "./messages/chat/use-message-queue.ts";
import { NonceContext, NonceScript } from "./nonce.tsx";
import { type ClosedResponse, closedOf } from "./shell/closed.ts";
import { ClosedPage } from "./shell/closed-page.tsx";
import { isNotFound, NotFoundPage, OopsPage } from "./shell/error-page.tsx";
import { FailedPage } from "./shell/failed-page.tsx";
import { clearedToastCookie, readToasts } from "./shell/flash.ts";
import { pageMeta } from "./shell/page-meta.ts";
import { LoadError, preserveScreen, useCurrentScreen } from "./shell/preserve-screen.ts";
import { RootContext, type RootData, siteData, useLoadedRoot, useRoot } from "./shell/root-data.ts";
import { PageScripts } from "./shell/scripts/page-scripts.tsx";
import { useReplayInput } from "./shell/scripts/pre-hydration-input.ts";
import { Prefetch } from "./shell/scripts/prefetch.tsx";
import { WorkerScript } from "./shell/scripts/worker-script.tsx";
import interfaceFont from "./theme/fonts/instrument-sans-basic.woff2?url";
import { NavigateContext } from "./ui/link.tsx";

/** Pages with equal data are rendered once, and relative times count in minutes. */
const nowStepMs = seconds(10);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { settings, url: siteUrl, now } = site;
  const cursor = site.events.latest();
  const toasts = readToasts(request);
  const { unread, notifications, posts, reports, countedAt } = await readShellCounts(site, context.get(viewerContext));
  const root: RootData = {
    site: siteData(settings, siteUrl, isNewsletterOffered(site)),
    closed: context.get(closedContext),
    viewer: summary(context.get(viewerContext)),
    counts: { unread, notifications, countsPosts: posts, countedAt, cursor },
    reports,
    theme: readTheme(request),
    toasts,
    search: url.searchParams.get("q")?.trim().slice(0, 200) ?? "",
    now: Math.floor(now() / nowStepMs) * nowStepMs,
  };
  return data(root, {
    ...(root.closed && { status: 503 }),
    ...(toasts.length > 0 && { headers: { "set-cookie": clearedToastCookie } }),
  });
}

function summary(viewer: RootData["viewer"]): RootData["viewer"] {
  if (!viewer) return null;
  const { id, name, email, staff, awaitsSecondStep, isEmailConfirmed, suspendedUntil, profileImage } = viewer;
  return { id, name, email, staff, awaitsSecondStep, isEmailConfirmed, suspendedUntil, profileImage };
}

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [preserveScreen];

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: interfaceFont, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon-32.png", sizes: "32x32", type: "image/png" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export function meta({ matches, error }: Route.MetaArgs) {
  const closed: ClosedResponse | null | undefined = closedOf(error) ?? (matches[0]?.loaderData as RootData | undefined)?.closed;
  if (closed) return pageMeta(matches, { title: closed.title, siteName: closed.siteName });
  if (!error) return pageMeta(matches);
  return pageMeta(matches, { title: isNotFound(error) ? "Page Not Found" : "Something went wrong" });
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useLoadedRoot();
  const { theme } = root;
  const nonce = useContext(NonceContext) || undefined;
  // ThemeScript set these attributes before hydration; React doesn't update attributes that it didn't change.
  useEffect(() => applyTheme(theme), [theme]);
  useReplayInput();
  return (
    <html lang="en" data-theme={theme === "system" ? "light" : theme} data-theme-choice={theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <NonceScript />
        <ThemeScript />
        <ThemeColor theme={theme} />
        <WorkerScript />
        <Meta />
        <Links />
      </head>
      <body className="bg-paper text-ink">
        <RootContext value={root}>
          <NavigateContext value={useNavigate()}>{children}</NavigateContext>
        </RootContext>
        <ScrollRestoration nonce={nonce} />
        <Prefetch />
        <PageScripts />
      </body>
    </html>
  );
}

export default function App() {
  const frame = useFrame();
  const { closed, viewer } = useRoot();
  useCurrentScreen();
  useMessageQueueInBackground(viewer?.id);
  if (closed) return <ClosedPage {...closed} />;
  return (
    <UnreadCountsProvider>
      <Frame frame={frame}>
        <Outlet />
      </Frame>
    </UnreadCountsProvider>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const closed = closedOf(error);
  if (closed) return <ClosedPage {...closed} />;
  if (error instanceof LoadError)
    return (
      <Frame frame="full">
        <FailedPage text={error.message} />
      </Frame>
    );
  if (!isNotFound(error)) return <OopsPage error={error} />;
  return (
    <Frame frame="full">
      <NotFoundPage />
    </Frame>
  );
}

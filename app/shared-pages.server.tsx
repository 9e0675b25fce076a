import { hash, randomBytes } from "node:crypto";
import { Fragment, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import type { EntryContext } from "react-router";
import type { HtmlPart } from "#app/context.ts";
import type { Site } from "#domain/site.ts";
import { prepareGzip } from "./gzip.server.ts";
import { UnreadCountsProvider } from "./live/unread-counts.tsx";
import { RootContext, type RootData } from "./shell/root-data.ts";
import { PersonalDataContext, type SharedPageHandle } from "./ui/personal.tsx";

type StaticHandlerContext = EntryContext["staticHandlerContext"];
type LoaderData = Record<string, unknown>;
export type RenderParts = { entry: EntryContext; nonce: string; placeholderOf?: (part: ReactNode) => string };

/** Fixed texts of a page, and the names of the values between them. */
type SharedPage = { texts: HtmlPart[]; names: string[]; parts: ReactNode[] };

/** Random and never sent, so no content contains it. */
const mark = randomBytes(16).toString("hex");
const placeholder = (name: string | number) => `${mark}:${name};`;
const placeholders = new RegExp(`${mark}:(\\w+);`);
const separator = `<template id="${mark}"></template>`;

/** Overhead of an entry, besides its texts. */
const pageBytes = 4096;

class NotShared extends Error {}

/**
 * Renders a page once for all viewers whose loaders return the same data, and its `Personal` parts for each
 * (docs/decisions/0037-signed-in-pages.md). The shared rendering has no viewer: reading an identity outside of `Personal` throws.
 * Undefined if the page must be rendered for this viewer alone.
 */
export function renderSharedPage(
  { memory }: Site,
  entry: EntryContext,
  { nonce, data, render }: { nonce: string; data: string; render: (parts: RenderParts) => string },
): HtmlPart[] | undefined {
  const { loaderData, location } = entry.staticHandlerContext;
  const root = loaderData.root as RootData;
  if (!root?.viewer || !isShared(entry)) return undefined;
  const key = keyOf(location.pathname + location.search, loaderData, root);
  if (key.includes(root.viewer.id)) return undefined;
  const name = hash("sha256", key, "base64");
  try {
    const cached = memory.sharedPages.get(name) as SharedPage | undefined;
    const page = cached ? withCompressedTexts(cached) : renderForAll(entry, root, render);
    if (page !== cached) memory.sharedPages.set(name, page, bytesOf(page));
    const html = fill(page, { nonce, data, ...renderParts(page, entry.staticHandlerContext) });
    return cached ? html : [{ text: Buffer.concat(html.map(({ text }) => text)) }];
  } catch (error) {
    if (error instanceof NotShared) return undefined;
    throw error;
  }
}

/** Compresses the texts at the second request, since many pages get only one. */
function withCompressedTexts(page: SharedPage): SharedPage {
  if (page.texts[0]?.deflated) return page;
  return { ...page, texts: page.texts.map(({ text }) => prepareGzip(text)) };
}

function bytesOf({ texts }: SharedPage): number {
  return texts.reduce((sum, { text, deflated }) => sum + text.length + (deflated?.length ?? 0), pageBytes);
}

function isShared({ staticHandlerContext, routeModules }: EntryContext): boolean {
  const { matches, errors, actionData, statusCode } = staticHandlerContext;
  if (statusCode !== 200 || errors || actionData || import.meta.env.DEV) return false;
  const handle = routeModules[matches.at(-1)?.route.id ?? ""]?.handle as Partial<SharedPageHandle> | undefined;
  return handle?.shared === true;
}

/** All data of the page except what only `Personal` parts show, and positions in the event log. */
function keyOf(url: string, loaderData: LoaderData, { viewer, counts, ...root }: RootData): string {
  const permissions = { ...viewer, id: "", name: "", email: "", profileImage: "" };
  const pages = pagesOf(loaderData).map(([, data]) => ({ ...data, personal: "", cursor: "" }));
  return JSON.stringify([url, root, permissions, counts.countsPosts, pages]);
}

function pagesOf(loaderData: LoaderData): [string, Record<string, unknown>][] {
  return Object.entries(loaderData).flatMap(([id, data]) => (id === "root" || !data ? [] : [[id, data as object as LoaderData]]));
}

function renderForAll(entry: EntryContext, root: RootData, render: (parts: RenderParts) => string): SharedPage {
  const parts: ReactNode[] = [];
  const placeholderOf = (part: ReactNode) => placeholder(parts.push(part) - 1);
  const { staticHandlerContext } = entry;
  const loaderData = withoutViewer(staticHandlerContext.loaderData, root);
  const html = render({
    entry: { ...entry, staticHandlerContext: { ...staticHandlerContext, loaderData } },
    ...{ nonce: placeholder("nonce"), placeholderOf },
  });
  const end = html.lastIndexOf("</body>");
  const pieces = `<!DOCTYPE html>${html.slice(0, end)}${placeholder("data")}${html.slice(end)}`.split(placeholders);
  const texts = pieces.filter((_, at) => at % 2 === 0);
  // The page contains an id or a cursor.
  if (texts.some((text) => text.includes(mark))) throw new NotShared();
  return { texts: texts.map((text) => ({ text: Buffer.from(text) })), names: pieces.filter((_, at) => at % 2 === 1), parts };
}

/** Makes the viewer's data throw when read. Ids and cursors are replaced by a mark that is recognized in the markup. */
function withoutViewer(loaderData: LoaderData, root: RootData): LoaderData {
  const get = () => {
    throw new NotShared();
  };
  const refused = { get, enumerable: true };
  const viewer = Object.defineProperties({ ...root.viewer, id: mark }, { name: refused, email: refused, profileImage: refused });
  const counts = Object.defineProperties({ ...root.counts, cursor: mark }, { unread: refused, notifications: refused });
  const pages = pagesOf(loaderData).map(([id, data]) => [
    id,
    { ...data, ...("cursor" in data && { cursor: mark }), ...("personal" in data && { personal: new Proxy({}, { get }) }) },
  ]);
  return { ...loaderData, ...Object.fromEntries(pages), root: { ...root, viewer, counts } };
}

function renderParts({ parts }: SharedPage, { loaderData }: StaticHandlerContext): Record<string, string> {
  const personal = pagesOf(loaderData).at(-1)?.[1].personal;
  const html = renderToString(
    <RootContext value={loaderData.root as RootData}>
      <UnreadCountsProvider>
        <PersonalDataContext value={personal}>
          {parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a page never change places.
            <Fragment key={at}>
              {part}
              <template id={mark} />
            </Fragment>
          ))}
        </PersonalDataContext>
      </UnreadCountsProvider>
    </RootContext>,
  );
  return Object.fromEntries(html.split(separator).entries());
}

function fill({ texts, names }: SharedPage, values: Record<string, string>): HtmlPart[] {
  return texts.flatMap((text, at) => [text, { text: Buffer.from(values[names[at] ?? ""] ?? "") }]);
}

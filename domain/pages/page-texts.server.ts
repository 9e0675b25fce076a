import type { PageTextRow } from "#platform/database/schema.ts";
import { memoizePromise } from "#platform/memory.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { renderContent } from "../posts/content.server.ts";
import { Conflict, NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { adaptToSettings } from "./adapt-to-settings.ts";
import { contactOptions, informationPages } from "./information.ts";
import { type PageText, type PageWords, pageTextWords } from "./page-text.ts";
import type { PageTextInput } from "./page-text-input.ts";

export type ShownPage = { title: string; lead: string; html: string };

/** @throws NotFound. */
export async function readPage(site: Site, path: string): Promise<ShownPage> {
  const { title, lead, text } = defaultText(site, path);
  const row = await site.db.selectFrom("page_texts").select(["title", "lead", "content"]).where("path", "=", path).executeTakeFirst();
  if (row) return { title: row.title, lead: row.lead, html: row.content };
  return { title, lead, html: await defaultHtml(site, text) };
}

/** The default text, adapted to the site's settings. @throws NotFound. */
export function defaultText(site: Pick<Site, "contactEmail" | "settings" | "mail">, path: string): PageWords {
  const page = Object.hasOwn(informationPages, path) ? informationPages[path] : undefined;
  if (!page) throw new NotFound();
  const words = adaptToSettings(page, site);
  if (path !== "contact") return words;
  return { ...words, text: `${contactOptions(site.contactEmail, site.settings.securityContact)}\n\n${words.text}` };
}

function defaultHtml(site: Site, text: string): Promise<string> {
  const { defaultPages } = site.memory;
  const known = defaultPages.get(text);
  if (known) return known;
  const html = renderContent(site, { text, by: "site" }).then(({ columns }) => columns.content);
  memoizePromise(defaultPages, text, html, (made) => 2 * made.length);
  return html;
}

export async function listPageTexts(site: Site, viewer: Viewer): Promise<PageText[]> {
  requirePermission(viewer, "see settings");
  const rows = await site.db.selectFrom("page_texts").selectAll().execute();
  const changed = new Map(rows.map((row) => [row.path, row]));
  return Object.keys(informationPages).map((path) => pageText(site, path, changed.get(path)));
}

/** @throws NotFound. */
export async function readPageText(site: Site, viewer: Viewer, path: string): Promise<PageText> {
  requirePermission(viewer, "see settings");
  defaultText(site, path);
  return pageText(site, path, await rowOf(site, path));
}

function rowOf({ db }: Pick<Site | SiteTransaction, "db">, path: string): Promise<PageTextRow | undefined> {
  return db.selectFrom("page_texts").selectAll().where("path", "=", path).executeTakeFirst();
}

function pageText(site: Site, path: string, row: PageTextRow | undefined): PageText {
  if (!row) return { path, ...defaultText(site, path), version: 0, updatedAt: null };
  const { title, lead, markdown, version, updatedAt } = row;
  return { path, title, lead, text: markdown, version, updatedAt };
}

/**
 * The audit log keeps the old text. Saving the default text removes the override. @throws Conflict if the stored version isn't `version`,
 * Invalid for a text that can't be rendered, NotFound.
 */
export async function changePage(site: Site, viewer: Viewer, path: string, input: PageTextInput, version: number): Promise<void> {
  requirePermission(viewer, "edit page texts");
  const original = defaultText(site, path);
  const { columns } = await renderContent(site, { text: input.text, by: viewer.id });
  await transaction(site, async (tx) => {
    const before = pageText(site, path, await rowOf(tx, path));
    if (isSameText(input, before)) return;
    if (before.version !== version || !(await savePageText(tx, before, { input, original, content: columns.content })))
      throw new Conflict(pageTextWords.changed);
    const wordsOf = ({ title, lead, text }: PageWords) => ({ title, lead, text });
    await recordAudit(tx, viewer, { action: "page.changed", subject: `page:${path}`, before: wordsOf(before), after: wordsOf(input) });
  });
}

function isSameText(one: PageWords, other: PageWords): boolean {
  return one.title === other.title && one.lead === other.lead && one.text === other.text;
}

type PageTextChange = { input: PageTextInput; original: PageWords; content: string };

/** @returns false if another change came first. */
async function savePageText(
  { db, now }: SiteTransaction,
  before: PageText,
  { input, original, content }: PageTextChange,
): Promise<boolean> {
  const { path, version } = before;
  const values = { title: input.title, lead: input.lead, markdown: input.text, content, updatedAt: now() };
  if (version === 0) {
    // The time, so that a re-created row never has a used version.
    const row = { path, ...values, version: now() };
    const added = await db
      .insertInto("page_texts")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return Boolean(added.numInsertedOrUpdatedRows);
  }
  if (isSameText(input, original)) {
    const deleted = await db.deleteFrom("page_texts").where("path", "=", path).where("version", "=", version).executeTakeFirstOrThrow();
    return Boolean(deleted.numDeletedRows);
  }
  const changed = await db
    .updateTable("page_texts")
    .set({ ...values, version: version + 1 })
    .where("path", "=", path)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  return Boolean(changed.numUpdatedRows);
}

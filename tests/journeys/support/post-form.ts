import { expect, type Page } from "@playwright/test";
import type { Upload } from "#domain/files/files.server.ts";
import { picture } from "../../support/pictures.ts";
import { onDisk } from "./uploads.ts";

type PostFields = { title?: string; slug?: string; content?: string; picture?: Upload | null };

/** Fills the given fields of /add-post; chooses a picture unless it is null. */
export async function fillPost(page: Page, { title, slug, content, picture: upload }: PostFields): Promise<void> {
  if (title !== undefined) await page.getByLabel("Title").fill(title);
  if (slug !== undefined) await page.getByLabel("Slug").fill(slug);
  if (content !== undefined) await page.getByLabel("Content").fill(content);
  if (upload !== null) await choosePicture(page, upload ?? (await picture()));
}

export async function choosePicture(page: Page, upload: Upload): Promise<void> {
  await page.getByLabel("Featured image", { exact: true }).setInputFiles(onDisk(upload));
}

/** Waits until the editor, which renders only visible lines, has this content. */
export async function expectContent(page: Page, content: string): Promise<void> {
  await expect.poll(() => page.locator(".cm-line").allTextContents()).toEqual(content.split("\n"));
}

/** Waits until the editor has replaced the text area. */
export async function waitForEditor(page: Page): Promise<void> {
  await expect(page.locator(".cm-content")).toBeVisible();
}

export const publish = (page: Page) => page.getByRole("button", { name: "Publish Post" });

let posts = 0;

/** A title, and so a slug, that is unique in this run. */
export function uniqueTitle(beginning: string): string {
  posts++;
  return `${beginning} ${process.pid} ${posts}`;
}

import { type BrowserContext, expect, type Page } from "@playwright/test";

/** What toasts have said on each page and no journey has asked for yet. */
const said = new WeakMap<Page, string[]>();

/**
 * Writes down every toast of the context's pages. One that shows for two seconds may be gone before a busy machine
 * looks for it.
 */
export async function hearToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding("heardToast", ({ page }, text: string) => {
    said.set(page, [...(said.get(page) ?? []), text]);
  });
  await context.addInitScript(() => {
    const heard = new WeakMap<Element, string | null>();
    const listen = () => {
      for (const toast of document.querySelectorAll("[aria-label=Notifications] > *")) {
        if (heard.get(toast) === toast.textContent || !toast.checkVisibility()) continue;
        heard.set(toast, toast.textContent);
        (window as unknown as { heardToast(text: string | null): void }).heardToast(toast.textContent);
      }
    };
    new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Waits until a toast has said these words, shown still or not; the same words count once for each toast. */
export async function toasted(page: Page, words: string): Promise<void> {
  await expect.poll(() => said.get(page) ?? [], "what toasts said").toContainEqual(expect.stringContaining(words));
  const texts = said.get(page) ?? [];
  texts.splice(
    texts.findIndex((text) => text.includes(words)),
    1,
  );
}

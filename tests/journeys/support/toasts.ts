import { type BrowserContext, expect, type Page } from "@playwright/test";

/** Toasts of each page that no expectation has matched yet. */
const toasts = new WeakMap<Page, string[]>();

/** Records every toast of the context's pages: on a busy machine, a check may come after a toast's two seconds. */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding("recordToast", ({ page }, text: string) => {
    toasts.set(page, [...(toasts.get(page) ?? []), text]);
  });
  await context.addInitScript(() => {
    const recorded = new WeakMap<Element, string | null>();
    const record = () => {
      for (const toast of document.querySelectorAll("[aria-label=Notifications] > *")) {
        if (recorded.get(toast) === toast.textContent || !toast.checkVisibility()) continue;
        recorded.set(toast, toast.textContent);
        (window as unknown as { recordToast(text: string | null): void }).recordToast(toast.textContent);
      }
    };
    new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Waits for a toast with these words, visible or past; each toast matches once. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await expect.poll(() => toasts.get(page) ?? [], "toasts").toContainEqual(expect.stringContaining(words));
  const texts = toasts.get(page) ?? [];
  texts.splice(
    texts.findIndex((text) => text.includes(words)),
    1,
  );
}

import { type BrowserContext, expect, type Page } from "@playwright/test";

/** Toasts of each page that no journey has checked yet. */
const said = new WeakMap<Page, string[]>();

/** Records every toast of the context's pages. A busy machine may look after a toast's two seconds are over. */
export async function recordToasts(context: BrowserContext): Promise<void> {
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

/** Waits for a toast with these words, shown or past; each toast counts once. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await expect.poll(() => said.get(page) ?? [], "what toasts said").toContainEqual(expect.stringContaining(words));
  const texts = said.get(page) ?? [];
  texts.splice(
    texts.findIndex((text) => text.includes(words)),
    1,
  );
}

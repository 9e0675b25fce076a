import { expect, test } from "vitest";
import { revalidateAfterOwnForms } from "./revalidate-after-own-forms.ts";

const page = "http://inkstead.test/admin/settings/pages/privacy";

test.each([
  { sent: "/admin/settings/pages/privacy?original", to: page, reloads: true },
  { sent: "/theme", to: page, reloads: false },
  { sent: undefined, to: page, reloads: false },
  { sent: undefined, to: `${page}?original`, reloads: true },
])("a page reloads after its own forms and at another address: $sent, $to", ({ sent: formAction, to, reloads }) => {
  const change = { currentUrl: new URL(page), nextUrl: new URL(to), currentParams: {}, nextParams: {}, ...(formAction && { formAction }) };
  expect(revalidateAfterOwnForms({ ...change, defaultShouldRevalidate: true })).toBe(reloads);
  expect(revalidateAfterOwnForms({ ...change, defaultShouldRevalidate: false })).toBe(false);
});

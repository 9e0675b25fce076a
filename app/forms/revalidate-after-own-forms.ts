import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * `shouldRevalidate` of a page whose form starts again when its data changes. Only the page's own forms reload it: after any other form, such
 * as the theme switch, someone else's save would replace what was typed.
 */
export function revalidateAfterOwnForms({
  formAction,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isOwn = formAction?.startsWith(currentUrl.pathname);
  return (isOwn || currentUrl.href !== nextUrl.href) && defaultShouldRevalidate;
}

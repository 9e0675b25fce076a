/** To the top of the page, at once for those who asked their system for less motion. */
export function scrollUp(): void {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: still ? "instant" : "smooth" });
}

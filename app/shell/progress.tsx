import { useNavigation } from "react-router";

/** A thin line at the top while the next page is on its way; quick answers never show it. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div role="progressbar" aria-label="Loading page" className="pointer-events-none fixed inset-x-0 top-0 z-(--z-progress) h-[3px]">
      <div className="navigation-progress h-full bg-accent" />
    </div>
  );
}

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in what the server renders, true once scripts run: for controls that are of no use without them. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

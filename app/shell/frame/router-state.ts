import { createContext, useContext } from "react";
import type { Location, SubmitFunction } from "react-router";

/** The part of React Router's state that the frame uses, in one context that `Kept` can pass on. */
export type RouterState = {
  location: Pick<Location, "pathname" | "search">;
  /** The page that is loading. */
  next: Pick<Location, "pathname" | "search"> | undefined;
  submit: SubmitFunction;
};

/** Set by the root. */
export const RouterStateContext = createContext<RouterState>({
  location: { pathname: "/", search: "" },
  next: undefined,
  submit: async () => {},
});

export function useRouterState(): RouterState {
  return useContext(RouterStateContext);
}

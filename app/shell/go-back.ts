import type { MouseEvent } from "react";
import { useNavigate } from "react-router";

/** For a Back link: one step back in the history, otherwise the link’s own address. @param options.mayLeaveSite also to another site */
export function useGoBack({ mayLeaveSite = false } = {}): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    // The router numbers this tab's entries. Its key doesn't tell the first, as a submitted form that replaces it gives it another.
    const hasPrevious = mayLeaveSite ? window.history.length > 1 : window.history.state?.idx > 0;
    if (!hasPrevious || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  };
}

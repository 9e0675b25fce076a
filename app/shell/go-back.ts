import type { MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router";

/** For a Back link: one step back in the history, otherwise the link’s own address. @param options.mayLeaveSite also to another site */
export function useGoBack({ mayLeaveSite = false } = {}): (event: MouseEvent) => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return (event) => {
    const hasPrevious = mayLeaveSite ? window.history.length > 1 : key !== "default";
    if (!hasPrevious || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  };
}

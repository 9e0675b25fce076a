import type { MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router";

/** For a Back link: one step back in the history within the site, otherwise the link’s own address. */
export function useGoBack(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return (event) => {
    if (key === "default" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  };
}

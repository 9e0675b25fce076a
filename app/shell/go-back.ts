import type { MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router";

/** For a link that leads back: to where one came from within the site, and to the link’s own address for anyone from elsewhere. */
export function useGoBack(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return (event) => {
    if (key === "default" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  };
}

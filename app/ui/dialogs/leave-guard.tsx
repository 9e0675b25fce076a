import { type FormEvent, useRef } from "react";
import { type Location, useBlocker } from "react-router";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useUnloadWarning } from "./use-unload-warning.ts";

/** Whether a form differs from its initial values. File fields are ignored. */
export function isChanged({ currentTarget }: FormEvent<HTMLFormElement>): boolean {
  return [...currentTarget.elements].some((each) => {
    if (each instanceof HTMLTextAreaElement) return each.value !== each.defaultValue;
    if (!(each instanceof HTMLInputElement) || each.type === "hidden" || each.type === "file") return false;
    if (each.type === "checkbox" || each.type === "radio") return each.checked !== each.defaultChecked;
    return each.value !== each.defaultValue;
  });
}

type Navigation = { currentLocation: Location; nextLocation: Location };

const leavesPage = ({ currentLocation, nextLocation }: Navigation) => nextLocation.pathname !== currentLocation.pathname;

const changesUrl = (navigation: Navigation) =>
  leavesPage(navigation) || navigation.nextLocation.search !== navigation.currentLocation.search;

type GuardProps = {
  unsaved: boolean;
  text: string;
  /** A new query, too, replaces what the form holds. */
  withQuery?: boolean;
};

/** Asks before a navigation; the browser asks before the page is closed or reloaded. */
export function LeaveGuard({ unsaved, text, withQuery = false }: GuardProps) {
  const blocker = useBlocker(unsaved && (withQuery ? changesUrl : leavesPage));
  const leaving = useRef(false);
  useUnloadWarning(unsaved);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onOpenChange={(open) => {
        if (!open && !leaving.current) blocker.reset?.();
      }}
      title="Leave without saving?"
      text={text}
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      onConfirm={() => {
        leaving.current = true;
        blocker.proceed?.();
      }}
    />
  );
}

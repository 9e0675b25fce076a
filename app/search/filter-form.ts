import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import { useSubmit } from "react-router";

/** Pause in typing before a list is filtered or a search is sent. */
export const searchDelayMs = 250;

/** For a GET form beside a list: typing filters the list, and the fields follow the URL (`chosen`). */
export function useFilterForm(chosen: Record<string, string>) {
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const form = useSyncedFields(chosen);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onChange = ({ target }: FormEvent<HTMLFormElement>) => {
    clearTimeout(timer.current);
    const filter = (replace: boolean) => void submit(form.current, { replace, preventScrollReset: true });
    if (target instanceof HTMLSelectElement) filter(false);
    else if (target instanceof HTMLInputElement && target.type === "search") timer.current = setTimeout(() => filter(true), searchDelayMs);
  };
  return { ref: form, onChange, onSubmit: () => clearTimeout(timer.current) };
}

function useSyncedFields(chosen: Record<string, string>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const serialized = JSON.stringify(chosen);
  // Keeps input typed before hydration.
  const synced = useRef(serialized);
  useEffect(() => {
    if (synced.current === serialized) return;
    synced.current = serialized;
    for (const [name, value] of Object.entries(JSON.parse(serialized) as Record<string, string>)) {
      const field = form.current?.elements.namedItem(name);
      // More was typed since the URL changed.
      if (field === document.activeElement && field instanceof HTMLInputElement) continue;
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
      // The URL may have an unknown value.
      if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.selectedIndex = 0;
    }
  }, [serialized]);
  return form;
}

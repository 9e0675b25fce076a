import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import { useSubmit } from "react-router";

/** Pause in typing before a list is filtered or a search is sent. */
export const searchDelayMs = 250;

/** For a GET form beside a list: typing filters the list, and the fields follow the address (`chosen`). */
export function useNarrowing(chosen: Record<string, string>) {
  const submit = useSubmit();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const form = useFollowing(chosen);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const onChange = ({ target }: FormEvent<HTMLFormElement>) => {
    clearTimeout(waiting.current);
    const narrow = (replace: boolean) => void submit(form.current, { replace, preventScrollReset: true });
    if (target instanceof HTMLSelectElement) narrow(false);
    else if (target instanceof HTMLInputElement && target.type === "search")
      waiting.current = setTimeout(() => narrow(true), searchDelayMs);
  };
  return { ref: form, onChange, onSubmit: () => clearTimeout(waiting.current) };
}

function useFollowing(chosen: Record<string, string>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const inWords = JSON.stringify(chosen);
  // Keeps what was typed before hydration.
  const shown = useRef(inWords);
  useEffect(() => {
    if (shown.current === inWords) return;
    shown.current = inWords;
    for (const [name, value] of Object.entries(JSON.parse(inWords) as Record<string, string>)) {
      const field = form.current?.elements.namedItem(name);
      // More was typed since the address changed.
      if (field === document.activeElement && field instanceof HTMLInputElement) continue;
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
      // The address may have an unknown value.
      if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.selectedIndex = 0;
    }
  }, [inWords]);
  return form;
}

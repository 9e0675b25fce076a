import { useEffect } from "react";

type Value = string | boolean | undefined;
type EarlyInput = Map<HTMLInputElement, Value> & { note: (event: Event) => void };

declare global {
  interface Window {
    earlyInput?: EarlyInput;
  }
}

/** Notes what is entered before hydration, of which React takes no notice: a controlled field loses it with its next rendering. */
export const captureInputScript = import.meta.env.SSR
  ? `(()=>{const m=window.earlyInput=new Map;addEventListener("input",m.note=({target:t})=>m.set(t,/radio|checkbox/.test(t.type)?t.checked:t.value),true)})()`
  : "";

/** For the outermost component, whose effects run after those of the pages, which may restore a draft. */
export function useReplayInput(): void {
  useEffect(() => {
    const typed = window.earlyInput;
    if (!typed) return;
    delete window.earlyInput;
    removeEventListener("input", typed.note, true);
    for (const [field, value] of typed) dispatchToReact(field, value);
  }, []);
}

/** React's own setters, which `field.value` and `field.checked` call, note a different value first, or it would see no change. */
function dispatchToReact(field: HTMLInputElement, value: Value): void {
  const dispatch = (type: string) => field.dispatchEvent(new Event(type, { bubbles: true }));
  if (field.type === "file" || "options" in field) dispatch("change");
  else if (typeof value === "boolean") {
    field.checked = !value;
    field.click();
  } else if (value !== undefined) {
    field.value = `${value}.`;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    dispatch("input");
  }
}

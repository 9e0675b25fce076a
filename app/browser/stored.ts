type Place = "localStorage" | "sessionStorage";

/** Null, too, where the browser forbids storage. */
export function readStored(key: string, place: Place = "localStorage"): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** `text`: null removes it. Keeps nothing where storage is full or forbidden. */
export function store(key: string, text: string | null, place: Place = "localStorage"): void {
  try {
    if (text === null) window[place].removeItem(key);
    else window[place].setItem(key, text);
  } catch {}
}

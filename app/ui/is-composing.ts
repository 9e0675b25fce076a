import type { KeyboardEvent } from "react";

/** Whether a key belongs to an input method's composition. In Safari the Enter that ends one has only the key code 229. */
export function isComposing({ nativeEvent: { isComposing, keyCode } }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}

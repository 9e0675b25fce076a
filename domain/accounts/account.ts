/** Limits of an account; browser-safe (specification §5, Signup). Lengths in characters. */
export const nameMin = 2;
export const nameMax = 100;
export const passwordMin = 8;
export const passwordMax = 200;

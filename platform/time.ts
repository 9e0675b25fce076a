/** Milliseconds. */
export const seconds = (count: number) => count * 1000;
export const minutes = (count: number) => seconds(60 * count);
export const hours = (count: number) => minutes(60 * count);
export const days = (count: number) => hours(24 * count);

/** Pseudo-random numbers from 0 to 1, the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled<Thing>(things: readonly Thing[], random: () => number): Thing[] {
  const shuffledThings = [...things];
  for (let last = shuffledThings.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffledThings[last], shuffledThings[other]] = [shuffledThings[other] as Thing, shuffledThings[last] as Thing];
  }
  return shuffledThings;
}

/**
 * Which pages of this browser live: each holds a Web Lock under its own name for as long as it does, and the browser takes
 * it back from a page that is closed, crashed or killed.
 */
export type Claims = {
  claim(writer: string): Promise<boolean>;
  release(writer: string): void;
  /** False where the browser can't tell: then nobody may take over anybody's name. */
  canTell: boolean;
};

/** Milliseconds. A page that is just being closed gives its name back a moment later, on a busy machine a long one. */
const claimTimeoutMs = 8_000;

export function webLocks(): Claims {
  // Only on https and localhost.
  const locks = typeof navigator === "undefined" ? undefined : (navigator.locks as LockManager | undefined);
  const held = new Map<string, () => void>();
  return {
    canTell: locks !== undefined,
    async claim(writer) {
      if (!locks) return false;
      if (held.has(writer)) return true;
      return new Promise((answer) => {
        const waiting = AbortSignal.timeout(claimTimeoutMs);
        locks
          .request(`inkstead-draft:${writer}`, { signal: waiting }, () => {
            answer(true);
            return new Promise<void>((release) => held.set(writer, release));
          })
          .catch(() => answer(false));
      });
    },
    release(writer) {
      held.get(writer)?.();
      held.delete(writer);
    },
  };
}

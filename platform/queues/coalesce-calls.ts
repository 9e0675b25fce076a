/** Concurrent callers share the next run, which starts after their call and so sees everything committed before it. */
export function coalesceCalls<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const begin = () => {
    const running = call().finally(() => {
      if (current === running) current = undefined;
    });
    current = running;
    return running;
  };
  const beginNext = () => {
    next = undefined;
    return begin();
  };
  return () => {
    if (!current) return begin();
    next ??= current.then(beginNext, beginNext);
    return next;
  };
}

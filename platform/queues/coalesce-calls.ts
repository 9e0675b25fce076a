/** Concurrent callers share the next run, which starts after their call and so sees everything committed before it. */
export function coalesceCalls<Answer>(call: () => Promise<Answer>): () => Promise<Answer> {
  let current: Promise<Answer> | undefined;
  let next: Promise<Answer> | undefined;
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

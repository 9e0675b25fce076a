/** Concurrent callers share the next run, which starts after their call and so sees everything committed before it. */
export function shareAnswers<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let current: Promise<Answer> | undefined;
  let next: Promise<Answer> | undefined;
  const begin = () => {
    const asked = ask().finally(() => {
      if (current === asked) current = undefined;
    });
    current = asked;
    return asked;
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

/**
 * A question that many ask at the same time. All who come while it is under way share the answer of the next one, which begins
 * after they came and so knows of everything that was committed before.
 */
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

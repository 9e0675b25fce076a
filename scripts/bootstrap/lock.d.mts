export function withLock<Result>(file: string, work: () => Promise<Result> | Result): Promise<Result>;

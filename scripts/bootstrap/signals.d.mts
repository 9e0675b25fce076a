import type { ChildProcess } from "node:child_process";

export function forwardSignals(child: ChildProcess, options?: { onSignal?: () => void; override?: NodeJS.Signals | undefined }): () => void;

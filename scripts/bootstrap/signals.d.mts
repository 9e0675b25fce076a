import type { ChildProcess } from "node:child_process";

export function forwardSignals(child: ChildProcess, options?: { onSignal?: () => void; override?: NodeJS.Signals | undefined }): () => void;
export function runsInOwnSession(command: string, platform?: NodeJS.Platform): boolean;

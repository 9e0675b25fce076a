import type { ChildProcess } from "node:child_process";

export function passSignalsTo(child: ChildProcess, options?: { told?: () => void; always?: NodeJS.Signals | undefined }): () => void;

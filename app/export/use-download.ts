import { useEffect, useRef, useState } from "react";
import { connectionLost } from "#app/shell/closed.ts";
import { exportTexts } from "#domain/export/export.ts";
import { saveFile } from "./save-file.ts";

/** Sizes in bytes. `about`: the server’s estimate of the total. */
export type DownloadState =
  | { kind: "idle" }
  | { kind: "running"; received: number; about: number; percent: number }
  | { kind: "done"; received: number }
  | { kind: "failed"; reason: string };

const chunkBytes = 8 * 1024 * 1024;

/** Downloads a file that the server generates while sending it, with progress. */
export function useDownload(path: string) {
  const [state, setState] = useState<DownloadState>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start() {
    const abort = new AbortController();
    running.current = abort;
    setState({ kind: "running", received: 0, about: 0, percent: 0 });
    try {
      const response = await fetch(path, { signal: abort.signal });
      if (!response.ok || !response.body) return setState({ kind: "failed", reason: reasonOf(response.status) });
      const about = Number(response.headers.get("x-about-bytes") ?? 0);
      const file = await collect(response.body, (received) =>
        setState({
          kind: "running",
          received,
          about: Math.max(about, received),
          percent: Math.min(99, (100 * received) / Math.max(1, about)),
        }),
      );
      saveFile(file, response, "everything.zip");
      setState({ kind: "done", received: file.size });
    } catch {
      setState(abort.signal.aborted ? { kind: "idle" } : { kind: "failed", reason: connectionLost });
    }
  }
  return { state, start, stop: () => running.current?.abort() };
}

function reasonOf(status: number): string {
  if (status === 429) return "You’ve downloaded your data several times this hour. Please try again later.";
  if (status === 409) return exportTexts.alreadyRunning;
  return status === 401 ? "You’ve been signed out. Please sign in again." : "Something went wrong. Please try again.";
}

/** Combines chunks into blobs, which the browser can keep on disk. */
async function collect(body: ReadableStream<Uint8Array<ArrayBuffer>>, onProgress: (received: number) => void): Promise<Blob> {
  const blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let [received, buffered] = [0, 0];
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    received += value.byteLength;
    buffered += value.byteLength;
    if (buffered >= chunkBytes) {
      blobs.push(new Blob(chunks));
      [chunks, buffered] = [[], 0];
    }
    onProgress(received);
  }
  return new Blob([...blobs, ...chunks], { type: "application/zip" });
}

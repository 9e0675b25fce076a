import { useEffect, useRef, useState } from "react";
import { connectionLost } from "#app/shell/closed.ts";
import { minutes } from "#platform/time.ts";

/** Sizes in bytes; `about` is what the server expects. */
export type DownloadState =
  | { kind: "idle" }
  | { kind: "running"; received: number; about: number; percent: number }
  | { kind: "done"; received: number }
  | { kind: "failed"; reason: string };

const chunkBytes = 8 * 1024 * 1024;

/** Fetches a file that the server makes on the way, counts what comes, and hands it to the browser as a download. */
export function useDownload(path: string) {
  const [state, setState] = useState<DownloadState>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start() {
    const abort = new AbortController();
    running.current = abort;
    setState({ kind: "running", received: 0, about: 0, percent: 0 });
    try {
      const answer = await fetch(path, { signal: abort.signal });
      if (!answer.ok || !answer.body) return setState({ kind: "failed", reason: reasonOf(answer.status) });
      const about = Number(answer.headers.get("x-about-bytes") ?? 0);
      const whole = await collect(answer.body, (received) =>
        setState({
          kind: "running",
          received,
          about: Math.max(about, received),
          percent: Math.min(99, (100 * received) / Math.max(1, about)),
        }),
      );
      save(whole, /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "everything.zip");
      setState({ kind: "done", received: whole.size });
    } catch {
      setState(abort.signal.aborted ? { kind: "idle" } : { kind: "failed", reason: connectionLost });
    }
  }
  return { state, start, stop: () => running.current?.abort() };
}

function reasonOf(status: number): string {
  if (status === 429) return "You’ve downloaded your data several times this hour. Please try again later.";
  return status === 401 ? "You’ve been signed out. Please sign in again." : "Something went wrong. Please try again.";
}

/** In pieces that the browser may keep on its disk. */
async function collect(body: ReadableStream<Uint8Array<ArrayBuffer>>, onProgress: (received: number) => void): Promise<Blob> {
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let [received, waiting] = [0, 0];
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    received += value.byteLength;
    waiting += value.byteLength;
    if (waiting >= chunkBytes) {
      pieces.push(new Blob(chunks));
      [chunks, waiting] = [[], 0];
    }
    onProgress(received);
  }
  return new Blob([...pieces, ...chunks], { type: "application/zip" });
}

function save(whole: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(whole);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), minutes(1));
}

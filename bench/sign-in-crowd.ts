import { parentPort, workerData } from "node:worker_threads";

/** The thread's data from `bench/sign-ins.ts`. */
export type Crowd = { url: string; round: number; people: number; password: string };

const { url, round, people, password } = workerData as Crowd;
const counts: Record<number, number> = {};

/** A separate network for each person. */
await Promise.all(
  Array.from({ length: people }, async (_, index) => {
    const response = await fetch(`${url}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url, "x-forwarded-for": `10.${round}.${index >> 8}.${index & 255}` },
      body: new URLSearchParams({ email: `reader.${index}@example.com`, password }),
    });
    await response.arrayBuffer();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  }),
);
parentPort?.postMessage(counts);

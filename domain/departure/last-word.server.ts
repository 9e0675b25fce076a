import { setTimeout as wait } from "node:timers/promises";
import { documentsTopic } from "../documents/announce.server.ts";
import type { Site } from "../site.ts";

/** Milliseconds. */
const patience = 2_000;
/** In which other processes read what this one has read. Who takes longer was cut off, and has its listeners load anew. */
const forOthers = 250;

/** Hears of stories that are removed from now on. */
export function listenForRemovals(site: Site) {
  const gone = new Set<string>();
  let heardOne = () => {};
  const leave = site.events.subscribe(documentsTopic, ({ type, data }) => {
    if (type !== "posts.delete") return;
    gone.add(String(data.id));
    heardOne();
  });
  return {
    end: leave,
    /** Ends once everybody has been told of these, so that the events that name them can be emptied; or after two seconds. */
    async heard(ids: ReadonlySet<string>): Promise<void> {
      const late = new AbortController();
      const timeout = wait(patience, undefined, { signal: late.signal }).then(
        () => true,
        () => true,
      );
      let ended = false;
      while (!ended && [...ids].some((id) => !gone.has(id)))
        ended = await Promise.race([timeout, new Promise<boolean>((resolve) => (heardOne = () => resolve(false)))]);
      late.abort();
      if (ids.size > 0 && site.engine === "postgres") await wait(forOthers);
    },
  };
}

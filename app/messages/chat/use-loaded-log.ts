import { useRef, useState } from "react";
import { fetchHistory } from "#app/messages/requests.ts";
import type { MessagePage } from "#domain/messages/message.ts";
import { addNewer, addOlder, beginLog, type ChatLog } from "./chat-log.ts";

/** The loaded part of a chat: what has come last, and how newer and older messages are fetched. */
export function useLoadedLog(partnerId: string, page: MessagePage, failed: (error: unknown) => void) {
  const [log, setLog] = useState(() => beginLog(page));
  const [loadingOlder, setLoadingOlder] = useState(false);
  const latest = useRef(log);
  latest.current = log;
  const fetching = useRef<{ again: boolean } | null>(null);

  function change(next: (log: ChatLog) => ChatLog) {
    latest.current = next(latest.current);
    setLog(latest.current);
  }

  /** One at a time: what is asked for meanwhile makes it look once more. */
  async function refresh() {
    if (fetching.current) {
      fetching.current.again = true;
      return;
    }
    const run = { again: true };
    fetching.current = run;
    try {
      while (run.again) {
        run.again = false;
        const newer = await fetchHistory(partnerId, { after: latest.current.seen });
        change((log) => addNewer(log, newer));
        run.again ||= newer.more;
      }
    } catch (error) {
      failed(error);
    } finally {
      fetching.current = null;
    }
  }

  function startOver() {
    fetchHistory(partnerId).then((page) => change(() => beginLog(page)), failed);
  }

  function loadOlder() {
    const first = latest.current.messages[0];
    if (loadingOlder || !latest.current.more || !first) return;
    setLoadingOlder(true);
    fetchHistory(partnerId, { before: first.number })
      .then((page) => change((log) => addOlder(log, page)), failed)
      .finally(() => setLoadingOlder(false));
  }

  return { log, latest, loadingOlder, change, refresh, startOver, loadOlder };
}

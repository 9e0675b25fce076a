import { EventEmitter } from "node:events";

/** Something happened on a topic such as `post:night-bus`; people who listen to it fetch what they need. */
export type Event = { topic: string; type: string };

export type Events = {
  publish(event: Event): void;
  /** Returns what ends the subscription. */
  subscribe(topic: string, listener: (event: Event) => void): () => void;
};

/** Events among the parts of this process. */
export function inProcessEvents(): Events {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish: (event) => void emitter.emit(event.topic, event),
    subscribe(topic, listener) {
      emitter.on(topic, listener);
      return () => emitter.off(topic, listener);
    },
  };
}

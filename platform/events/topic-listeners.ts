import type { Log } from "../log.ts";

/** One that throws keeps nothing from the others. */
export class TopicListeners<Message extends { topic: string; type: string }> {
  readonly #byTopic = new Map<string, Set<(message: Message) => void>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get topics(): string[] {
    return [...this.#byTopic.keys()];
  }

  /** @returns what ends it. */
  add(topic: string, listener: (message: Message) => void): () => void {
    const own = (message: Message) => listener(message);
    const others = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, others.add(own));
    return () => {
      others.delete(own);
      if (others.size === 0 && this.#byTopic.get(topic) === others) this.#byTopic.delete(topic);
    };
  }

  publish(message: Message): void {
    for (const listener of [...(this.#byTopic.get(message.topic) ?? [])]) {
      try {
        listener(message);
      } catch (err) {
        this.#log.error({ err, topic: message.topic, type: message.type }, "a listener failed");
      }
    }
  }
}

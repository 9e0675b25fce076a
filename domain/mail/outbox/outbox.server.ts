import type { Outbox, Site } from "#domain/site.ts";
import { deliverDue } from "./delivery.server.ts";

export class BackgroundOutbox implements Outbox {
  #deliver: ((site: Site) => Promise<void>) | undefined;
  #isClosing = false;

  wake(site: Site): Promise<void> | void {
    void this.run(site);
  }

  close(): void {
    this.#isClosing = true;
  }

  protected run(site: Site): Promise<void> {
    this.#deliver ??= site.background.repeated("sending emails", (site: Site) => deliverDue(site, () => this.#isClosing));
    return this.#deliver(site);
  }
}

import type { Outbox, Site } from "#domain/site.ts";
import { RepeatedWork } from "#platform/background.ts";
import { deliverDue } from "./delivery.server.ts";

export class BackgroundOutbox implements Outbox {
  readonly #delivery = new RepeatedWork("sending emails");
  #isClosing = false;

  wake(site: Site): Promise<void> | void {
    void this.run(site);
  }

  close(): void {
    this.#isClosing = true;
  }

  protected run(site: Site): Promise<void> {
    return this.#delivery.request(site.background, () => deliverDue(site, () => this.#isClosing));
  }
}

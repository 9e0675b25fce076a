import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** @returns a line per violation of axe's rules, with the markup. */
export async function findViolations(page: Page): Promise<string[]> {
  // The other mode opens a blank page for frames of other origins, of which there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`);
}

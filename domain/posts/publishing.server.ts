import { applyRules } from "../rules/apply-rules.server.ts";
import type { Member, SiteTransaction } from "../site.ts";
import { published } from "./published.server.ts";

/** After its author has made a post active: a rule holds it, or everybody can read it from now on. @returns whether it is held. */
export async function holdOrPublish(tx: SiteTransaction, author: Member, id: string, at?: number): Promise<boolean> {
  if (await applyRules(tx, author, id)) return true;
  await published(tx, id, at);
  return false;
}

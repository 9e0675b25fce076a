import { listSecurityEvents, type SecurityEntry } from "#domain/accounts/security/security-log.server.ts";
import { type Device, listDevices } from "#domain/accounts/sign-in/devices.server.ts";
import { type Passkey, readPasskeys } from "#domain/accounts/sign-in/passkey-reads.server.ts";
import { requirePermission } from "../permissions.ts";
import { SignInRequired } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";

export type OwnAccount = {
  name: string;
  email: string;
  confirmed: boolean;
  secondStep: boolean;
  devices: Device[];
  passkeys: Passkey[];
  securityLog: SecurityEntry[];
};

export async function readOwnAccount(site: Site, viewer: Viewer): Promise<OwnAccount> {
  requirePermission(viewer, "change an account", viewer?.id);
  const [user, devices, passkeys, securityLog] = await Promise.all([
    site.db
      .selectFrom("users")
      .select(["name", "email", "emailVerified", "twoFactorEnabled"])
      .where("id", "=", viewer.id)
      .executeTakeFirst(),
    listDevices(site, viewer),
    readPasskeys(site.db, viewer.id),
    listSecurityEvents(site, viewer),
  ]);
  if (!user) throw new SignInRequired();
  const { name, email, emailVerified, twoFactorEnabled } = user;
  return { name, email, confirmed: emailVerified, secondStep: Boolean(twoFactorEnabled), devices, passkeys, securityLog };
}

export async function renameAccount(site: Site, viewer: Viewer, name: string): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  await transaction(site, async (tx) => {
    const updatedAt = new Date(tx.now()).toISOString();
    await tx.db.updateTable("users").set({ name, updatedAt }).where("id", "=", viewer.id).execute();
    tx.changed("account.renamed", { userId: viewer.id });
  });
}

import { type Case, call, extra, form, freshId, openSession, page, passesPermissions, type Row, viewerOf, world } from "./world.ts";

const own = (by: string, ask: Case["ask"], except?: string[]): Case => ({ by, owner: "self", ask, ...(except && { except }) });
const request = (method: string, path: string, body?: object) => own(`${method} /v1/${path}`, (who) => call(who, method, path, body));
const wrong = { password: "not the password 1" };
const link = () => `${world.site.url}/somewhere`;

/** Actions on the own account, some with a confirmation to type. */
const onPages: Case[] = [
  own("page", page("/notifications/settings")),
  own("form", form("/notifications/settings", { timeZone: "UTC" })),
  own("form to remove a device", form("/notifications/devices", { remove: "0" })),
  own("name", async (who) => form("/account?change=name", () => ({ name: world.maren.name }))(who)),
  own("devices", form("/account/devices", { all: "yes" })),
  own("keys", passesPermissions(form("/account/keys", { ...wrong, name: "Program", scopes: "read", days: "30" }))),
  own("a link for another address", passesPermissions(form("/account/email?token=none", {}))),
  own("a link to confirm the address", passesPermissions(form("/verify-email/again", {}))),
  // These two come after the address is confirmed.
  own("passkeys", passesPermissions(form("/account/passkeys/start", wrong)), ["unconfirmed"]),
  own("authenticator", passesPermissions(form("/account/authenticator", { ...wrong, step: "start" })), ["unconfirmed"]),
];

/** A passkey of Maren's. @returns the path of the page that removes it. */
export async function passkeyToRemove(): Promise<string> {
  const id = freshId("passkey");
  const row = { id, userId: world.maren.id, name: "Key", publicKey: id, credentialID: id, counter: 0, deviceType: "x", backedUp: false };
  await world.site.db
    .insertInto("passkeys")
    .values({ ...row, transports: null, createdAt: null, aaguid: null } as never)
    .execute();
  return `/account/passkeys/${id}/remove`;
}

const removesPasskey: Case[] = [
  { by: "page to remove a passkey", owner: "maren", ask: async (who) => page(await passkeyToRemove())(who) },
  {
    by: "form to remove a passkey",
    owner: "maren",
    ask: async (who) => {
      const count = async () => (await world.site.db.selectFrom("passkeys").select("id").execute()).length;
      const path = await passkeyToRemove();
      const before = await count();
      await form(path, { confirmed: "yes" })(who);
      return (await count()) < before;
    },
  },
];

/** Ends the person's session and opens another. */
const ending = (path: string) =>
  own(`DELETE /v1/${path}`, async (who) => {
    const response = await call(who, "DELETE", path);
    await openSession(who);
    return response;
  });

const throughApi: Case[] = [
  request("GET", "account"),
  request("GET", "account/prefs"),
  own("PATCH /v1/account/email", async (who) =>
    call(who, "PATCH", "account/email", { ...wrong, email: (await viewerOf(who))?.email ?? extra.email }),
  ),
  own(
    "PATCH /v1/account/password",
    passesPermissions((who) => call(who, "PATCH", "account/password", { password: "a lamp on the Hill 9", oldPassword: wrong.password })),
  ),
  request("GET", "account/sessions"),
  request("GET", "account/sessions/current"),
  request("PATCH", "account/sessions/current"),
  request("POST", "account/jwts", {}),
  ...["account/verification", "account/verifications/email"].map((path) =>
    own(
      `POST /v1/${path}`,
      passesPermissions((who) => call(who, "POST", path, { url: link() })),
    ),
  ),
  ending("account/sessions/current"),
  ending("account/sessions"),
];

export const accountCases: [Row, Case[]][] = [
  ["change an account", [...onPages, ...throughApi]],
  ["only its owner", removesPasskey],
  ["delete an account", [own("form", passesPermissions(form("/account/delete", wrong)))]],
  ["see own bookmarks", [own("page", page("/profile?tab=bookmarks"))]],
  ["see own notifications", [own("page", page("/notifications")), own("form", form("/notifications", { id: "like:1" }))]],
  [
    "get notifications on a device",
    [own("form", form("/notifications/devices", { endpoint: "https://127.0.0.1/", p256dh: "none", auth: "none" }))],
  ],
  ["see own follows", [own("page", page("/following/ids"))]],
  ["read a conversation", [own("page", page("/messages/unread"))]],
  [
    "edit a profile",
    [
      // People without the permission are redirected to the profile.
      own("form", async (who) => {
        const userId = (await viewerOf(who))?.id ?? "";
        const bio = freshId("Bio");
        await form("/edit-profile", { userName: "Somebody Else", bio })(who);
        const profile = world.site.db.selectFrom("profiles").select("bio").where("userId", "=", userId);
        return (await profile.executeTakeFirst())?.bio === bio;
      }),
      request("PATCH", "account/name", { name: "Somebody Else" }),
    ],
  ],
];

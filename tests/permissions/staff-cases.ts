import { expect } from "vitest";
import type { Action } from "#domain/permissions.ts";
import { reportMember } from "./member-cases.ts";
import {
  api,
  type Case,
  createTestPost,
  extra,
  form,
  freshId,
  holdPost,
  ids,
  type Lazy,
  live,
  page,
  realtime,
  succeed,
  upload,
  world,
} from "./world.ts";

const by = (name: string, ask: Case["ask"]): Case => ({ by: name, owner: "nobody", ask });
const shown = (path: Lazy<string>): Case => by("page", page(path));
const posted = (path: Lazy<string>, fields: Lazy<Record<string, string>>): Case => by("form", form(path, fields));
const pub = () => ids.pub as string;

export const staffCases: Partial<Record<Action, Case[]>> = {
  "enter the admin area": [shown("/admin"), shown("/admin/verify?then=/admin")],
  "see the dashboard": [shown("/admin?range=7")],
  "moderate stories": [
    shown("/admin/posts"),
    shown(() => `/admin/posts/${pub()}`),
    by("/v1", (who) => api(who, "PATCH", `posts/documents/${pub()}`, { data: { pinned: true } })),
    posted(() => `/admin/posts/${pub()}`, { do: "feature", scripted: "yes" }),
    posted("/admin/posts", () => ({ do: "pin", ids: pub(), scripted: "yes" })),
  ],
  "moderate members": [
    shown(() => `/admin/users/${extra.id}`),
    posted(() => `/admin/users/${extra.id}`, { do: "clear", reason: "why", days: "1" }),
  ],
  "handle reports": [
    shown("/admin/reports"),
    shown(() => `/admin/reports/${ids["profile report"]}`),
    shown(() => `/admin/reports/${ids["message report"]}/messages`),
    by("form", async (who) => {
      const id = await reportMember();
      return form(() => `/admin/reports/${id}`, { decision: "dismiss", reason: "", answer: "" })(who);
    }),
    by("/live", live("reports", reportMember)),
  ],
  "undo a decision": [
    by("form", async (who) => {
      const { heldBy: id } = await holdPost();
      return form("/admin/undo", { id, scripted: "yes" })(who);
    }),
  ],
  "read reported messages": [posted(() => `/admin/reports/${ids["message report"]}/messages`, { reason: "To see what was said" })],
  "read private messages": [shown("/admin/messages"), shown(() => `/admin/messages/${ids.message}`)],
  "see files": [shown("/admin/files"), shown(() => `/admin/files/${ids.file}`)],
  "remove a file": [
    by("form", async (who) => {
      const id = freshId("marens-file-to-go");
      await succeed(upload("owner", id));
      return form(() => `/admin/files/${id}`, { reason: "why" })(who);
    }),
  ],
  "erase a story": [
    by("form", async (who) => {
      const id = await createTestPost();
      const remove = form(() => `/admin/posts/${id}`, { do: "delete", reason: "why", scripted: "yes" });
      await succeed(remove("administrator"));
      return form(() => `/admin/posts/${id}`, { do: "erase", scripted: "yes" })(who);
    }),
  ],
  "adjust counts": [
    posted(() => `/admin/posts/${pub()}`, { do: "views", views: "5", scripted: "yes" }),
    posted(() => `/admin/posts/${pub()}`, { do: "likes", by: "5", scripted: "yes" }),
  ],
  "set rules": [shown("/admin/reports/rules"), shown("/admin/reports/rules/new")],
  "see errors": [shown("/admin/errors"), posted("/admin/errors", { fingerprint: "none" })],
  "see webhooks": [shown("/admin/webhooks"), shown("/admin/webhooks/new")],
  "change webhooks": [posted("/admin/webhooks/new", { do: "save", address: "https://hooks.example.com/", events: "post.published" })],
  "manage emails": [
    shown("/admin/emails"),
    posted("/admin/emails", { do: "test" }),
    shown("/admin/emails/newsletter"),
    shown("/admin/emails/newsletter/subscribers"),
    posted("/admin/emails/newsletter", { do: "import", csv: "reader@example.com,2020-01-01" }),
  ],
  "list members": [shown("/admin/users")],
  "see analytics": [shown("/admin/analytics"), shown("/admin/analytics/export/csv")],
  "see settings": [shown("/admin/settings"), shown("/admin/settings/pages"), shown("/admin/settings/pages/help"), shown("/admin/staff")],
  "change settings": [posted("/admin/database", { backupEvery: "24", backupsKept: "7" })],
  "edit page texts": [posted("/admin/settings/pages/help", { title: "Help", lead: "", text: "Ask.", version: "0" })],
  "see the database": [shown("/admin/database")],
  "make backups": [
    by("page", async (who) => {
      const { status, headers } = await page("/admin/database/backups/none")(who);
      // Staff get a 404.
      if (status === 404) return true;
      expect([headers.get("location"), status]).toEqual(status === 403 ? [null, 403] : ["/", 302]);
      return false;
    }),
  ],
  "see the audit log": [shown("/admin/audit"), shown("/admin/audit/export?format=csv")],
  "grant roles": [posted("/admin/staff", { do: "grant", email: "salma@example.com", role: "moderator" })],
  "enter during maintenance": [
    by("page", (who) => duringMaintenance(() => page("/community-rules")(who))),
    by("/v1", (who) => duringMaintenance(() => api(who, "GET", `posts/documents/${pub()}`))),
    by("/live", (who) => duringMaintenance(() => live("posts")(who))),
    by("realtime", (who) => duringMaintenance(() => realtime()(who))),
  ],
};

/** Runs the request in maintenance mode. */
async function duringMaintenance<Result>(ask: () => Promise<Result>): Promise<Result> {
  world.site.settings.maintenanceMode = true;
  try {
    return await ask();
  } finally {
    world.site.settings.maintenanceMode = false;
  }
}

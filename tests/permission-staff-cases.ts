import { expect } from "vitest";
import { undoAct } from "#domain/moderation/undo.server.ts";
import type { Action } from "#domain/permissions.ts";
import { setViews } from "#domain/posts/figures.server.ts";
import { holdPost } from "#domain/posts/hold-post.server.ts";
import { deletePost, eraseDeleted } from "#domain/posts/posts.server.ts";
import { api, type Case, extra, form, ids, nextNumber, type Owner, page, story, topic, upload, verb, world } from "./permission-world.ts";

const of = (owner: Owner, by: string, ask: Case["ask"]): Case => ({ by, owner, ask });
const posts = (id: () => string) => `posts/documents/${id()}`;
const pub = () => ids.pub as string;

/** What is for staff. */
export const staffCases: Partial<Record<Action, Case[]>> = {
  "enter the admin area": [
    of(
      "nobody",
      "page",
      page(() => "/admin"),
    ),
  ],
  "see the dashboard": [
    of(
      "nobody",
      "page",
      page(() => "/admin?range=7"),
    ),
  ],
  "moderate stories": [
    of(
      "nobody",
      "page",
      page(() => "/admin/posts"),
    ),
    of("nobody", "/v1", (who) => api(who, "PATCH", posts(pub), { data: { pinned: true } })),
  ],
  "moderate members": [
    of(
      "nobody",
      "page",
      form(
        () => `/admin/users/${extra.id}`,
        () => ({ do: "clear", reason: "why", days: "1" }),
      ),
    ),
  ],
  "handle reports": [
    of(
      "nobody",
      "page",
      page(() => "/admin/reports"),
    ),
    of(
      "nobody",
      "/live",
      topic(() => "reports"),
    ),
  ],
  "undo a decision": [
    of("nobody", "verb", async (who) => {
      const id = await story();
      await holdPost(world.site, world.ruth, id, { reason: "why" });
      const { heldBy } = await world.site.db.selectFrom("posts").select("heldBy").where("id", "=", id).executeTakeFirstOrThrow();
      return verb((viewer) => undoAct(world.site, viewer, heldBy ?? ""))(who);
    }),
  ],
  "read reported messages": [
    of(
      "nobody",
      "page",
      form(
        () => `/admin/reports/${ids["message report"]}/messages`,
        () => ({ reason: "To see what was said" }),
      ),
    ),
  ],
  "read private messages": [
    of(
      "nobody",
      "page",
      page(() => "/admin/messages"),
    ),
    of(
      "nobody",
      "message",
      page(() => `/admin/messages/${ids.message}`),
    ),
  ],
  "see files": [
    of(
      "nobody",
      "page",
      page(() => "/admin/files"),
    ),
  ],
  "remove a file": [
    of("nobody", "page", async (who) => {
      const id = `marens-file-to-go-${nextNumber()}`;
      await upload("owner", id);
      return form(
        () => `/admin/files/${id}`,
        () => ({ reason: "why" }),
      )(who);
    }),
  ],
  "erase a story": [
    of("nobody", "verb", async (who) => {
      const id = await story();
      await deletePost(world.site, world.ruth, id, { reason: "why" });
      return verb((viewer) => eraseDeleted(world.site, viewer, id))(who);
    }),
  ],
  "set figures": [
    of(
      "nobody",
      "verb",
      verb((viewer) => setViews(world.site, viewer, pub(), 5)),
    ),
  ],
  "set rules": [
    of(
      "nobody",
      "page",
      page(() => "/admin/reports/rules"),
    ),
  ],
  "list members": [
    of(
      "nobody",
      "page",
      page(() => "/admin/users"),
    ),
  ],
  "see analytics": [
    of(
      "nobody",
      "page",
      page(() => "/admin/analytics"),
    ),
  ],
  "see settings": [
    of(
      "nobody",
      "page",
      page(() => "/admin/settings"),
    ),
    of(
      "nobody",
      "staff",
      page(() => "/admin/staff"),
    ),
  ],
  "change settings": [
    of(
      "nobody",
      "page",
      form(
        () => "/admin/database",
        () => ({ backupEvery: "24", backupsKept: "7" }),
      ),
    ),
  ],
  "edit page texts": [
    of(
      "nobody",
      "page",
      form(
        () => "/admin/settings/pages/help",
        () => ({ title: "Help", lead: "", text: "Ask.", version: "0" }),
      ),
    ),
  ],
  "see the database": [
    of(
      "nobody",
      "page",
      page(() => "/admin/database"),
    ),
  ],
  "make backups": [
    of("nobody", "page", async (who) => {
      const { status, headers } = await page(() => "/admin/database/backups/none")(who);
      // Who may is told that there is none.
      if (status === 404) return true;
      expect([headers.get("location"), status]).toEqual(status === 403 ? [null, 403] : ["/", 302]);
      return false;
    }),
  ],
  "see the audit log": [
    of(
      "nobody",
      "page",
      page(() => "/admin/audit"),
    ),
    of(
      "nobody",
      "export",
      page(() => "/admin/audit/export?format=csv"),
    ),
  ],
  "grant roles": [
    of(
      "nobody",
      "page",
      form(
        () => "/admin/staff",
        () => ({ do: "grant", email: "salma@example.com", role: "moderator" }),
      ),
    ),
  ],
  "enter during maintenance": [
    of("nobody", "page", async (who) => {
      world.site.settings.maintenanceMode = true;
      try {
        return await page(() => "/community-rules")(who);
      } finally {
        world.site.settings.maintenanceMode = false;
      }
    }),
  ],
};

import { data, Form, useNavigation } from "react-router";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ExternalLink, Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { sizeText } from "#domain/backups/backup.ts";
import { dateAndTime } from "#domain/dates.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { readAdminFile, removeAnyFile } from "#domain/moderation/files/admin-files.server.ts";
import { adminFileTexts } from "#domain/moderation/files/admin-files.ts";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Route } from "./+types/file-page.ts";
import { FileUses } from "./file-uses.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  return { file: await readAdminFile(context.get(siteContext), context.get(viewerContext), params.id) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const reason = String(form.get("reason") ?? "");
  try {
    await removeAnyFile(context.get(siteContext), context.get(viewerContext), params.id, reason);
  } catch (error) {
    if (!isRefusal(error) || error.field !== "reason") throw error;
    return data({ reason, error: error.message }, { status: statusOf(error) });
  }
  return redirectWithToast("/admin/files", { tone: "success", text: adminFileTexts.removed });
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "File" });

export default function FilePage({ loaderData: { file }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <PageHead
        title="File"
        line="Opening a file that isn’t public is recorded in the audit log."
        back={{ to: "/admin/files", label: "Files" }}
      >
        <ButtonLink to={`/files/${file.id}`} reloadDocument icon={ExternalLink}>
          Open
        </ButtonLink>
      </PageHead>
      <Panel className="mt-6 max-w-3xl p-5 lg:p-6">
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <Fact label="Name">{file.name || "Untitled file"}</Fact>
          <Fact label="Type">
            <span className="font-mono text-sm">{file.type}</span>
          </Fact>
          <Fact label="Sent by">
            {file.ownerId ? (
              <Link to={`/admin/users/${file.ownerId}`} className="font-medium hover:text-accent-ink">
                {file.ownerName ?? file.ownerId}
              </Link>
            ) : (
              "Deleted member"
            )}
          </Fact>
          <Fact label="Sent">{dateAndTime(file.createdAt)}</Fact>
          <Fact label="Size">{sizeText(file.size)}</Fact>
          <Fact label="Shown in">
            <FileUses uses={file.uses} />
          </Fact>
        </dl>
      </Panel>
      <Panel className="mt-5 max-w-3xl p-5 lg:p-6">
        <h2 className="display text-t2">Remove this file</h2>
        <p className="mt-1 mb-4 text-base text-ink-2">This permanently removes the file everywhere. Stories stay, without the picture.</p>
        <Form method="post" noValidate>
          <ReasonField hint="Recorded in the audit log." error={actionData?.error} defaultValue={actionData?.reason ?? ""} required />
          <Button type="submit" variant="danger" icon={Trash2} busy={busy} busyLabel="Removing..." className="mt-4">
            Remove file
          </Button>
        </Form>
      </Panel>
    </>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className="num mt-0.5 text-base [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

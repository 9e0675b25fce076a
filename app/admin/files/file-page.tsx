import { ReasonedForm } from "#app/admin/moderation/reasoned-form.tsx";
import { Facts } from "#app/admin/shell/facts.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { handleTextForm } from "#app/forms/handle-text-form.server.ts";
import { keepFormOnRequestFailure, readTexts } from "#app/forms/refused-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ExternalLink, Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { sizeText } from "#domain/format.ts";
import { readAdminFile, removeAnyFile } from "#domain/moderation/files/admin-files.server.ts";
import { adminFileTexts } from "#domain/moderation/files/admin-files.ts";
import type { Route } from "./+types/file-page.ts";
import { FileUses } from "./file-uses.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  return { file: await readAdminFile(context.get(siteContext), context.get(viewerContext), params.id) };
}

const readValues = (form: FormData) => readTexts(form, ["reason"]);

export function action({ params, ...args }: Route.ActionArgs) {
  return handleTextForm(args, readValues, async ({ reason }, site, viewer) => {
    await removeAnyFile(site, viewer, params.id, reason);
    return redirectWithToast("/admin/files", { tone: "success", text: adminFileTexts.removed });
  });
}

export const clientAction = keepFormOnRequestFailure(readValues);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "File" });

export default function FilePage({ loaderData: { file }, actionData }: Route.ComponentProps) {
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
      <Facts
        facts={{
          Name: file.name || "Untitled file",
          Type: <span className="font-mono text-sm">{file.type}</span>,
          "Uploaded by": file.ownerId ? (
            <Link to={`/admin/users/${file.ownerId}`} className="font-medium hover:text-accent-ink">
              {file.ownerName ?? file.ownerId}
            </Link>
          ) : (
            "Deleted member"
          ),
          Uploaded: dateAndTime(file.createdAt),
          Size: sizeText(file.size),
          "Shown in": <FileUses uses={file.uses} />,
        }}
      />
      <ReasonedForm
        button="Remove file"
        icon={Trash2}
        busyLabel="Removing..."
        hint="Recorded in the audit log."
        refused={actionData}
        className="mt-5 max-w-3xl p-5 lg:p-6"
      >
        <h2 className="display text-t2">Remove this file</h2>
        <p className="mt-1 mb-4 text-base text-ink-2">This permanently removes the file everywhere. Stories stay, without the picture.</p>
      </ReasonedForm>
    </>
  );
}

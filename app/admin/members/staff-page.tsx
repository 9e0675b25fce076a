import { Form, useNavigation } from "react-router";
import { ChoiceList } from "#app/admin/shell/choice-list.tsx";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { handleTextForm } from "#app/forms/handle-text-form.server.ts";
import { keepFormOnRequestFailure, readTexts } from "#app/forms/refused-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, FieldError, TextInput } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { grantRole, readStaff, revokeRole, type StaffMember } from "#domain/accounts/staff-roles.server.ts";
import { type Site, staffRoles, type Viewer } from "#domain/site.ts";
import type { Route } from "./+types/staff-page.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { staff: await readStaff(context.get(siteContext), context.get(viewerContext)) };
}

type Values = Record<"do" | "email" | "role", string>;
const readValues = (form: FormData): Values => readTexts(form, ["do", "email", "role"]);

export function action(args: Route.ActionArgs) {
  return handleTextForm(args, readValues, async (values, site, viewer) =>
    redirectWithToast("/admin/staff", { tone: "success", text: await run(site, viewer, values) }),
  );
}

async function run(site: Site, viewer: Viewer, values: Values): Promise<string> {
  const email = values.email.trim();
  if (values.do === "revoke") {
    const { name } = await revokeRole(site, viewer, email);
    return `${name} is no longer a staff member`;
  }
  const role = staffRoles.find((each) => each === values.role) ?? "moderator";
  const { name } = await grantRole(site, viewer, email, role);
  return `${name} is now ${role === "administrator" ? "an administrator" : "a moderator"}`;
}

export const clientAction = keepFormOnRequestFailure(readValues);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Staff" });

const roles = [
  {
    value: "moderator",
    label: "Moderator",
    note: "Reports, stories and suspensions. No settings or backups, and only reported messages.",
  },
  { value: "administrator", label: "Administrator", note: "Everything, including managing staff." },
];

export default function StaffPage({ loaderData: { staff }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const isRevoked = actionData?.values.do === "revoke";
  const error = actionData?.errors.email ?? actionData?.errors.form;
  const revokeErrorOf = ({ email }: StaffMember) => (isRevoked && actionData.values.email === email ? error : undefined);
  const added = isRevoked ? undefined : actionData?.values;
  return (
    <>
      <PageHead
        title="Staff"
        line="Who runs this site. Changes are recorded in the audit log, and we email the person."
        back={{ to: "/admin/settings", label: "Settings" }}
      />
      {isRevoked && !staff.some(revokeErrorOf) && <FieldError>{error}</FieldError>}
      <ul className="mt-6 divide-y divide-line rounded-lg border border-line bg-raised">
        {staff.map((person) => (
          <Person key={person.email} person={person} error={revokeErrorOf(person)} />
        ))}
      </ul>
      <Panel className="mt-8 max-w-2xl p-5 lg:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <h2 className="display text-t2">Add or change staff</h2>
          <Field label="Account email" error={added && error}>
            <TextInput name="email" type="email" required defaultValue={added?.email} />
          </Field>
          <ChoiceList name="role" legend="Role" chosen={added?.role ?? "moderator"} choices={roles} />
          <div>
            <Button type="submit" name="do" value="grant" variant="primary" busy={busy} busyLabel="Saving...">
              Save role
            </Button>
          </div>
        </Form>
      </Panel>
    </>
  );
}

function Person({ person, error }: { person: StaffMember; error: string | undefined }) {
  const { name, email, role, confirmed, granted, listed, secondStep } = person;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 lg:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">{email}</p>
        <FormError className="mt-1">{error}</FormError>
      </div>
      <span className="flex flex-wrap gap-2">
        <Badge tone="neutral">{role === "moderator" ? "Moderator" : "Administrator"}</Badge>
        {!confirmed && <Badge tone="warning">Email not confirmed</Badge>}
        <Badge tone={secondStep ? "success" : "neutral"}>{secondStep ? "Two-step verification" : "No two-step verification"}</Badge>
      </span>
      {granted ? (
        <Form method="post">
          <input type="hidden" name="email" value={email} />
          <Button type="submit" name="do" value="revoke" size="sm" variant="danger" aria-label={`Remove ${name} from the staff`}>
            Remove
          </Button>
        </Form>
      ) : (
        <span className="text-sm text-ink-2">{listed && "Set in ADMIN_EMAILS"}</span>
      )}
    </li>
  );
}

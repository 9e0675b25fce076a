import { ChevronDown, FileText, Save, ShieldCheck } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { data, Form, Link, useNavigation } from "react-router";
import { AuditList } from "#app/admin/audit/audit-list.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { orLost } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { listAudit } from "#domain/audit/audit.server.ts";
import type { AuditEntry } from "#domain/audit/audit.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { mustBeAllowed } from "#domain/permissions.ts";
import { statusOf } from "#domain/refusals.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { settingsTexts } from "#domain/settings/settings.ts";
import { type SettingsChanges, settingsProblems } from "#domain/settings/settings-input.ts";
import { needsSecondStep } from "#domain/staff/staff.server.ts";
import type { Route } from "./+types/settings-page.ts";
import { FiguresChoice } from "./figures-choice.tsx";
import { changesOf, readTyped, type TypedSettings, typedSettings } from "./settings-form.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  mustBeAllowed(viewer, "see settings");
  const { entries } = await listAudit(site, viewer, { subject: "settings", limit: 5 });
  const secondStep = await needsSecondStep(site);
  return { settings: typedSettings(site.settings, secondStep), history: entries, mailDelivers: site.mail.delivers };
}

type Answer = { message: string; errors: Partial<Record<string, string>>; typed: TypedSettings | null };

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const typed = readTyped(form);
  const changes = changesOf(typed, form.get("shown")) as SettingsChanges;
  const errors = settingsProblems(changes);
  if (Object.keys(errors).length > 0) return data<Answer>({ message: settingsTexts.failed, errors, typed }, { status: 422 });
  try {
    await saveSettings(context.get(siteContext), context.get(viewerContext), changes);
  } catch (error) {
    const refusal = refusalOf(error);
    const beside = refusal.field ? { [refusal.field]: refusal.message } : {};
    return data<Answer>({ message: `${settingsTexts.failed}: ${refusal.message}`, errors: beside, typed }, { status: statusOf(refusal) });
  }
  return redirectWithToast("/admin/settings", { tone: "success", text: settingsTexts.saved });
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return orLost(serverAction, { message: settingsTexts.failed, errors: {}, typed: null } satisfies Answer);
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Platform Settings" });

export default function SettingsPage({ loaderData: { settings, history, mailDelivers }, actionData }: Route.ComponentProps) {
  const saving = useNavigation().formAction?.startsWith("/admin/settings") ?? false;
  useEffect(() => {
    if (actionData) showToast({ tone: "error", text: actionData.message });
  }, [actionData]);
  return (
    <>
      <PageHead title="Platform Settings">
        <Button type="submit" form="settings" variant="primary" icon={Save} busy={saving} busyLabel="Saving...">
          Save Changes
        </Button>
      </PageHead>
      <SettingsForm
        key={JSON.stringify(settings)}
        shown={settings}
        typed={actionData?.typed ?? settings}
        errors={actionData?.errors ?? {}}
        mailDelivers={mailDelivers}
      />
      <History entries={history} />
    </>
  );
}

type FormProps = { shown: TypedSettings; typed: TypedSettings; errors: Answer["errors"]; mailDelivers: boolean };

function SettingsForm({ shown, typed, errors, mailDelivers }: FormProps) {
  const toggle = (name: string, label: string, hint: ReactNode) => (
    <Switch name={name} label={label} hint={hint} defaultChecked={typed[name as "enableLikes"]} />
  );
  const verification = mailDelivers ? "New members confirm their email first." : "Not in effect until email is set up (SMTP_URL).";
  return (
    <Form id="settings" method="post" className="mt-5" noValidate>
      <input type="hidden" name="shown" value={JSON.stringify(shown)} />
      <Section title="Site Configuration" text="Shown in browser tabs and search results.">
        <div className="flex flex-col gap-5">
          <Field id="siteName" label="Site name" error={errors.siteName}>
            <TextInput name="siteName" defaultValue={typed.siteName} />
          </Field>
          <Field id="siteDescription" label="Site description" error={errors.siteDescription}>
            <TextArea name="siteDescription" rows={2} defaultValue={typed.siteDescription} className="min-h-0!" />
          </Field>
          <Field id="securityContact" label="Security contact" error={errors.securityContact} hint={securityContactHint}>
            <TextInput name="securityContact" placeholder="security@example.com" defaultValue={typed.securityContact} />
          </Field>
          <FiguresChoice value={typed.landingFigures} />
        </div>
      </Section>
      <Section title="Pages" text="Pages linked in the footer: guidelines, rules, help, privacy and more.">
        <ButtonLink to="/admin/settings/pages" icon={FileText}>
          Edit pages
        </ButtonLink>
      </Section>
      <Section title="User Management" text="Who can join and how.">
        {toggle("allowRegistration", "Allow new registrations", "Visitors can create an account.")}
        {toggle("requireEmailVerification", "Email verification required", verification)}
        {toggle("publicStoryListing", "Public story listing", "Visitors can browse and search all stories.")}
      </Section>
      <Section title="Staff" text="Who runs the site and how they sign in.">
        {toggle("staffSecondStep", "Administrators need a second step", secondStepHint)}
        {errors.staffSecondStep && (
          <p role="alert" className="mt-2 text-sm text-danger">
            {errors.staffSecondStep}
          </p>
        )}
        <ButtonLink to="/admin/staff" icon={ShieldCheck} className="mt-4">
          Manage staff
        </ButtonLink>
      </Section>
      <Section title="Platform Features" text="Turn parts of the site on or off.">
        {toggle("enableLikes", "Likes", "Readers can like stories.")}
        {toggle("enableBookmarks", "Bookmarks", "Readers can save stories for later.")}
        {toggle("enableMessages", "Messages", "Members can message each other.")}
        {toggle("emailNotifications", "Email notifications", "New messages, followers and reports. We always send security emails.")}
      </Section>
      <Advanced {...{ typed, errors }}>
        {toggle("maintenanceMode", "Maintenance mode", "Visitors see a message instead of the site.")}
      </Advanced>
    </Form>
  );
}

const secondStepHint =
  "Administrators and moderators need an authenticator app or a passkey. Until they have one, they have no staff access.";

const halves = "grid gap-x-10 gap-y-4 lg:grid-cols-[250px_minmax(0,1fr)]";
const panel = "min-w-0 rounded-lg border border-line bg-raised p-5 lg:p-6";

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={`${halves} border-t border-line py-7`}>
      <div>
        <h2 className="display text-t2">{title}</h2>
        <p className="mt-1 text-base text-ink-2">{text}</p>
      </div>
      <div className={panel}>{children}</div>
    </section>
  );
}

const securityContactHint =
  "Email or https:// address for reporting security problems. Published at /.well-known/security.txt. Leave blank to turn that page off.";
const fileTypesHint =
  "Comma-separated file extensions for uploads through the API. Featured images and attachments have their own limits: 10 MB and fixed types.";

function Advanced({ typed, errors, children }: Pick<FormProps, "typed" | "errors"> & { children: ReactNode }) {
  const inside = ["maxPostsPerUser", "maxFileSize", "allowedFileTypes", "storagePerMember", "maintenanceMessage"];
  const open = typed.maintenanceMode || inside.some((name) => errors[name]);
  return (
    <details className="group/advanced border-t border-line py-7" open={open}>
      <summary className="flex cursor-pointer list-none items-center justify-between [&::-webkit-details-marker]:hidden">
        <h2 className="display text-t2">Advanced Settings</h2>
        <ChevronDown aria-hidden className="size-5 shrink-0 text-ink-3 group-open/advanced:rotate-180" />
      </summary>
      <div className={`${halves} mt-4`}>
        <p className="text-base text-ink-2">Limits and maintenance. Most sites keep the defaults.</p>
        <div className={panel}>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field id="maxPostsPerUser" label="Max posts per user" error={errors.maxPostsPerUser}>
              <TextInput name="maxPostsPerUser" type="number" min={1} defaultValue={typed.maxPostsPerUser} />
            </Field>
            <Field id="maxFileSize" label="Max file size (MB)" error={errors.maxFileSize} hint="For profile pictures and API uploads.">
              <TextInput name="maxFileSize" type="number" min={1} max={30} defaultValue={typed.maxFileSize} />
            </Field>
            <Field
              id="allowedFileTypes"
              label="Allowed file types"
              error={errors.allowedFileTypes}
              hint={fileTypesHint}
              className="sm:col-span-2"
            >
              <TextInput name="allowedFileTypes" defaultValue={typed.allowedFileTypes} className="font-mono text-sm!" />
            </Field>
            <Field
              id="storagePerMember"
              label="Storage per member (MB)"
              error={errors.storagePerMember}
              hint="Pictures, attachments, API uploads and unfinished stories combined."
              className="sm:col-span-2"
            >
              <TextInput name="storagePerMember" type="number" min={1} defaultValue={typed.storagePerMember} />
            </Field>
          </div>
          <div className="group/maintenance mt-6 border-t border-line pt-5">
            {children}
            <div className="mt-4 hidden group-has-[#maintenanceMode:checked]/maintenance:block">
              <Field id="maintenanceMessage" label="Maintenance message" error={errors.maintenanceMessage}>
                <TextArea name="maintenanceMessage" rows={2} defaultValue={typed.maintenanceMessage} className="min-h-0!" />
              </Field>
            </div>
          </div>
        </div>
      </div>
    </details>
  );
}

function History({ entries }: { entries: AuditEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section className="border-t border-line py-7" aria-labelledby="history">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="history" className="display text-t2">
          Recent changes
        </h2>
        <Link
          to="/admin/audit?action=settings.changed"
          className="text-base font-medium text-accent-ink underline decoration-accent-line underline-offset-4 hover:decoration-current"
        >
          All changes
        </Link>
      </div>
      <AuditList entries={entries} className="mt-4" />
    </section>
  );
}

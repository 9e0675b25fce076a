import { type ReactNode, useEffect, useState } from "react";
import { data, Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { AuditList } from "#app/admin/audit/audit-list.tsx";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { revalidateAfterOwnForms } from "#app/forms/revalidate-after-own-forms.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf, respondToForm } from "#app/shell/refusals.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { isChanged, LeaveGuard } from "#app/ui/dialogs/leave-guard.tsx";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { ChevronDown, FileText, Save, ShieldCheck } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { listAudit } from "#domain/audit/audit.server.ts";
import type { AuditEntry } from "#domain/audit/audit.ts";
import { dateAndTime } from "#domain/dates.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { settingLabels } from "#domain/settings/setting-labels.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { settingsTexts } from "#domain/settings/settings.ts";
import { type SettingsChanges, settingsProblems } from "#domain/settings/settings-input.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { needsSecondStep } from "#domain/staff/staff.server.ts";
import type { Route } from "./+types/settings-page.ts";
import { LandingFields } from "./landing-fields.tsx";
import { changesOf, readInitialValues, readValues, type SettingsFormValues, settingsFormValues, type Toggle } from "./settings-form.ts";
import { panel, Section, twoColumnGrid } from "./settings-section.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  requirePermission(viewer, "see settings");
  const { entries } = await listAudit(site, viewer, { subject: "settings", limit: 5 });
  const secondStep = await needsSecondStep(site);
  return { settings: settingsFormValues(site.settings, secondStep), history: entries, mailDelivers: site.mail.delivers };
}

type ActionResult = {
  message: string;
  errors: Partial<Record<string, string>>;
  values: SettingsFormValues | null;
  /** What the form showed; not after a conflict, when it shows the current settings. */
  initialValues?: Partial<SettingsFormValues> | null;
};

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const values = readValues(form);
  const initialValues = readInitialValues(form.get("shown"));
  const typed = changesOf(values, initialValues);
  const changes = typed as SettingsChanges;
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const errors = settingsProblems(changes);
  if (Object.keys(errors).length > 0)
    return data<ActionResult>({ message: settingsTexts.failed, errors, values, initialValues }, { status: 422 });
  try {
    await saveSettings(site, viewer, changes, (initialValues ?? {}) as SettingsChanges);
    return redirectWithToast("/admin/settings", { tone: "success", text: settingsTexts.saved });
  } catch (error) {
    const { details, field, message } = refusalOf(error);
    const isConflict = details?.kind === "settings-changed";
    const shownAgain = isConflict
      ? await describeConflict(site, viewer, details.names as string[], typed)
      : { errors: field ? { [field]: message } : {}, values, initialValues };
    return respondToForm<ActionResult>(error, () => ({ message: `${settingsTexts.failed}: ${message}`, ...shownAgain }));
  }
}

/** Says at each setting who changed it to what. Saving again overwrites those changes. Other settings are shown as they are now. */
async function describeConflict(
  site: Site,
  viewer: Viewer,
  names: string[],
  typed: Partial<SettingsFormValues>,
): Promise<Omit<ActionResult, "message">> {
  await site.reloadSettings();
  const { entries } = await listAudit(site, viewer, { subject: "settings", limit: 50 });
  const errors = names.map((name) => {
    const entry = entries.find(({ after }) => after && name in after);
    const by = entry ? `${entry.userName} changed this to ${quoteValue(entry.after?.[name])} on ${dateAndTime(entry.createdAt)}.` : "";
    return [name, `${by} Save again to replace it with yours.`.trim()];
  });
  const current = settingsFormValues(site.settings, await needsSecondStep(site));
  return { errors: Object.fromEntries(errors), values: { ...current, ...typed } };
}

function quoteValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return `“${Array.isArray(value) ? value.join(", ") : String(value)}”`;
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { message: settingsTexts.failed, errors: {}, values: null } satisfies ActionResult);
/** Also after a conflict, which needs the current settings. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs): boolean {
  return revalidateAfterOwnForms(change) || change.actionStatus === 409;
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Platform Settings" });

export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  useEffect(() => {
    if (actionData) showToast({ tone: "error", text: actionData.message });
  }, [actionData]);
  // After a save or a conflict the key changes, which starts the form and `unsaved` again.
  return <Settings key={JSON.stringify(loaderData.settings)} {...{ loaderData, actionData }} />;
}

type PageProps = { loaderData: Route.ComponentProps["loaderData"]; actionData: ActionResult | undefined };

function Settings({ loaderData: { settings, history, mailDelivers }, actionData }: PageProps) {
  const saving = useNavigation().formAction?.startsWith("/admin/settings") ?? false;
  const [unsaved, setUnsaved] = useState(Boolean(actionData));
  useEffect(() => {
    if (actionData) focusFirst(actionData.errors);
  }, [actionData]);
  return (
    <>
      <div data-save-bar className="z-(--z-header) -mt-3 bg-paper py-3 sm:sticky sm:top-0">
        <PageHead title="Platform Settings">
          <div className={saveBar}>
            {unsaved && <span className="text-sm text-ink-2">Unsaved changes</span>}
            <Button type="submit" form="settings" variant="primary" icon={Save} busy={saving} busyLabel="Saving...">
              Save Changes
            </Button>
          </div>
        </PageHead>
      </div>
      <LeaveGuard unsaved={unsaved && !saving} text="Your changes to the settings aren’t saved yet." />
      <SettingsForm
        onChange={setUnsaved}
        initialValues={actionData?.initialValues ?? settings}
        values={actionData?.values ?? settings}
        errors={actionData?.errors ?? {}}
        mailDelivers={mailDelivers}
      />
      <History entries={history} />
    </>
  );
}

function focusFirst(errors: ActionResult["errors"]): void {
  const { elements } = document.forms.namedItem("settings") ?? {};
  const field = [...(elements ?? [])].find((element) => errors[element.getAttribute("name") ?? ""]);
  field?.scrollIntoView({ block: "center" });
  if (field instanceof HTMLElement) field.focus({ preventScroll: true });
}

/** Sticks to the top of the page, on phones to the bottom. */
const saveBar =
  "flex items-center gap-4 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-(--z-header) max-sm:justify-end max-sm:border-t max-sm:border-line max-sm:bg-paper max-sm:px-4 max-sm:py-3";

type FormProps = {
  initialValues: Partial<SettingsFormValues>;
  values: SettingsFormValues;
  errors: ActionResult["errors"];
  mailDelivers: boolean;
  onChange: (unsaved: boolean) => void;
};

function SettingsForm({ initialValues, values, errors, mailDelivers, onChange }: FormProps) {
  const toggle = (name: Toggle, hint: string) => (
    <>
      <Switch name={name} label={settingLabels[name]} hint={hint} defaultChecked={values[name]} />
      <FormError className="mb-3">{errors[name]}</FormError>
    </>
  );
  const verification = mailDelivers ? "New members confirm their email first." : "Not in effect until email is set up (SMTP_URL).";
  return (
    <Form id="settings" method="post" className="mt-2 max-sm:pb-16" noValidate onChange={(event) => onChange(isChanged(event))}>
      <input type="hidden" name="shown" value={JSON.stringify(initialValues)} />
      <Section title="Site Configuration" text="Shown in browser tabs and search results.">
        <div className="flex flex-col gap-5">
          <Field id="siteName" label={settingLabels.siteName} error={errors.siteName}>
            <TextInput name="siteName" defaultValue={values.siteName} />
          </Field>
          <Field id="siteDescription" label={settingLabels.siteDescription} error={errors.siteDescription}>
            <TextArea name="siteDescription" rows={2} defaultValue={values.siteDescription} className="min-h-0!" />
          </Field>
          <Field id="securityContact" label={settingLabels.securityContact} error={errors.securityContact} hint={securityContactHint}>
            <TextInput name="securityContact" placeholder="security@example.com" defaultValue={values.securityContact} />
          </Field>
        </div>
      </Section>
      <Section title="Landing page" text="What visitors see first.">
        <LandingFields values={values} errors={errors} />
      </Section>
      <Section title="Pages" text="Pages linked in the footer: guidelines, rules, help, privacy and more.">
        <ButtonLink to="/admin/settings/pages" icon={FileText}>
          Edit pages
        </ButtonLink>
      </Section>
      <Section title="User Management" text="Who can join and how.">
        {toggle("allowRegistration", "Visitors can create an account.")}
        {toggle("requireEmailVerification", verification)}
        {toggle("publicStoryListing", "Visitors can browse and search all stories.")}
      </Section>
      <Section title="Staff" text="Who runs the site and how they sign in.">
        {toggle("staffSecondStep", secondStepHint)}
        <ButtonLink to="/admin/staff" icon={ShieldCheck} className="mt-4">
          Manage staff
        </ButtonLink>
      </Section>
      <Section title="Platform Features" text="Turn parts of the site on or off.">
        {toggle("enableLikes", "Readers can like stories.")}
        {toggle("enableBookmarks", "Readers can save stories for later.")}
        {toggle("enableMessages", "Members can message each other.")}
        {toggle("emailNotifications", "Notifications, messages and answers. We always send security emails.")}
      </Section>
      <Advanced {...{ values, errors }}>
        {toggle("maintenanceMode", "Everyone except administrators sees a message instead of the site.")}
      </Advanced>
    </Form>
  );
}

const secondStepHint =
  "Administrators and moderators need an authenticator app or a passkey. Until they have one, they have no staff access.";

const securityContactHint =
  "Email or https:// address for reporting security problems. Published at /.well-known/security.txt. Leave blank to turn that page off.";
const fileTypesHint =
  "Comma-separated file extensions for profile pictures and uploads through the API. Featured images and attachments have their own limits: 10 MB and fixed types.";

const numbers: Record<"maxPostsPerUser" | "maxFileSize" | "storagePerMember", { hint?: string; max?: number }> = {
  maxPostsPerUser: {},
  maxFileSize: { hint: "For profile pictures and API uploads.", max: 30 },
  storagePerMember: { hint: "Pictures, attachments, API uploads and unfinished stories combined." },
};

function Advanced({ values, errors, children }: Pick<FormProps, "values" | "errors"> & { children: ReactNode }) {
  const inside = [...Object.keys(numbers), "allowedFileTypes", "maintenanceMessage"];
  const open = values.maintenanceMode || inside.some((name) => errors[name]);
  const number = (name: keyof typeof numbers) => (
    <Field id={name} label={settingLabels[name]} error={errors[name]} hint={numbers[name].hint}>
      <TextInput name={name} type="number" min={1} max={numbers[name].max} defaultValue={values[name]} />
    </Field>
  );
  return (
    <details className="group/advanced border-t border-line py-7" open={open}>
      <summary className="flex cursor-pointer list-none items-center justify-between [&::-webkit-details-marker]:hidden">
        <h2 className="display text-t2">Advanced Settings</h2>
        <ChevronDown aria-hidden className="size-5 shrink-0 text-ink-3 group-open/advanced:rotate-180" />
      </summary>
      <div className={`${twoColumnGrid} mt-4`}>
        <p className="text-base text-ink-2">Limits and maintenance. Most sites keep the defaults.</p>
        <div className={panel}>
          <div className="grid gap-5">
            <div className="grid gap-5 sm:grid-cols-2">
              {number("maxPostsPerUser")}
              {number("maxFileSize")}
            </div>
            <Field id="allowedFileTypes" label={settingLabels.allowedFileTypes} error={errors.allowedFileTypes} hint={fileTypesHint}>
              <TextInput name="allowedFileTypes" defaultValue={values.allowedFileTypes} className="font-mono text-sm!" />
            </Field>
            {number("storagePerMember")}
          </div>
          <div className="group/maintenance mt-6 border-t border-line pt-5">
            {children}
            <div className="mt-4 hidden group-has-[#maintenanceMode:checked]/maintenance:block">
              <Field id="maintenanceMessage" label={settingLabels.maintenanceMessage} error={errors.maintenanceMessage}>
                <TextArea name="maintenanceMessage" rows={2} defaultValue={values.maintenanceMessage} className="min-h-0!" />
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

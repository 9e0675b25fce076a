import { Form, useNavigation } from "react-router";
import { SettingsLayout } from "#app/accounts/settings-layout.tsx";
import { FormAlert, OpenedBy, SettingsSection } from "#app/accounts/settings-section.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { respondToForm } from "#app/shell/refusals.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import {
  type ConfigurableKind,
  configurableKinds,
  type EmailFrequency,
  emailFrequencies,
  notificationKinds,
  notificationTexts,
  type Preference,
} from "#domain/notifications/kinds.ts";
import { isTimeZone, writeClock } from "#domain/notifications/local-time.ts";
import { readNotificationSettings, saveNotificationSettings } from "#domain/notifications/preferences.server.ts";
import { readSettingsForm } from "#domain/notifications/settings-form.ts";
import { requireSameMember } from "#domain/permissions.ts";
import { listPushDevices } from "#domain/push/push-devices.server.ts";
import { pushKeysOf } from "#domain/push/push-keys.server.ts";
import type { Route } from "./+types/notification-settings-page.ts";
import { PushDevices } from "./push-devices.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const settings = await readNotificationSettings(site, viewer);
  return {
    ...settings,
    zones: ["UTC", ...Intl.supportedValuesOf("timeZone")],
    devices: await listPushDevices(site, viewer),
    publicKey: pushKeysOf(site.secret).publicKey,
    sent: site.settings.emailNotifications && site.mail.delivers,
  };
}

type ActionResult = { error: string; userId?: string | undefined };

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.account);
  const viewer = context.get(viewerContext);
  const userId = form.get("userId")?.toString();
  try {
    requireSameMember(viewer, userId);
    await saveNotificationSettings(context.get(siteContext), viewer, readSettingsForm(form));
    return redirectWithToast("/notifications/settings", { tone: "success", text: notificationTexts.saved });
  } catch (error) {
    return respondToForm<ActionResult>(error, ({ message }) => ({ error: message, userId }), ["sign-in-required"]);
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { error: connectionLost } as ActionResult, connectionLost);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Notification settings" });

export default function NotificationSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { preferences, quiet, timeZone, zones, devices, publicKey, sent } = loaderData;
  const busy = useNavigation().formMethod === "POST";
  return (
    <SettingsLayout back={{ to: "/notifications", label: "Notifications" }} title="Notification settings">
      <Form method="post" preventScrollReset>
        {actionData?.error && <FormAlert>{actionData.error}</FormAlert>}
        <OpenedBy userId={actionData?.userId} />
        <SettingsSection
          id="kinds"
          title="What we notify you about"
          text="Choose for each kind: on the site, on the devices below, or by email, right away or in a summary."
        >
          <div aria-hidden className="mb-2 hidden justify-end gap-5 text-sm text-ink-2 sm:flex">
            <span className="w-20 text-center">On the site</span>
            <span className="w-20 text-center">On devices</span>
            <span className="w-36">By email</span>
          </div>
          <ul>
            {configurableKinds.map((kind) => (
              <KindRow key={kind} kind={kind} preference={preferences[kind]} />
            ))}
          </ul>
          <p className="mt-4 text-sm text-ink-2">
            We always notify you about moderation decisions and answers from the site’s staff: on the site, on your devices and, if this
            site sends these emails, by email.
          </p>
          {!sent && <p className="mt-3 text-sm text-ink-2">Emails from this site aren’t being delivered right now.</p>}
        </SettingsSection>
        <SettingsSection
          id="quiet"
          title="Quiet hours"
          text="Emails and device notifications that you’d get right away wait until quiet hours end."
        >
          <QuietHours quiet={quiet} timeZone={timeZone} zones={zones} />
        </SettingsSection>
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving..." className="mb-9 max-sm:w-full lg:ml-[308px]">
          Save
        </Button>
      </Form>
      <PushDevices devices={devices} publicKey={publicKey} />
    </SettingsLayout>
  );
}

const frequencies: Record<EmailFrequency, string> = { "at-once": "Right away", daily: "Every day", weekly: "Every week", never: "Never" };

const hints: Partial<Record<ConfigurableKind, string>> = {
  message: "Right away: only when you aren’t online, and once per conversation until you read it.",
  story: "By people you follow.",
  bookmark: "We show how many, not who: bookmarks are private.",
};

function KindRow({ kind, preference }: { kind: ConfigurableKind; preference: Preference }) {
  const { label } = notificationKinds[kind];
  const options = emailFrequencies.map((value) => ({ value, label: frequencies[value] }));
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2.5 max-sm:gap-x-4 border-t border-line py-3 first:border-t-0 first:pt-0">
      <span className="min-w-40 flex-1 max-sm:basis-full">
        <span className="block text-base font-medium">{label}</span>
        {hints[kind] && <span className="block text-sm text-ink-2">{hints[kind]}</span>}
      </span>
      <Choice name={`site-${kind}`} kind={label} way="On the site" chosen={preference.onSite} />
      <Choice name={`push-${kind}`} kind={label} way="On devices" chosen={preference.push} />
      <span className="flex items-center gap-2 text-sm max-sm:flex-1">
        <span aria-hidden className="sm:hidden">
          By email
        </span>
        <Select
          name={`email-${kind}`}
          label={`${label} by email`}
          options={options}
          defaultValue={preference.email}
          className="w-36 max-sm:w-auto max-sm:min-w-28 max-sm:flex-1"
        />
      </span>
    </li>
  );
}

function Choice({ name, kind, way, chosen }: { name: string; kind: string; way: string; chosen: boolean }) {
  return (
    <span className="flex w-20 items-center justify-center gap-2 text-sm max-sm:w-auto max-sm:justify-start">
      <Checkbox name={name} label={`${kind} ${way.toLowerCase()}`} defaultChecked={chosen} />
      <span aria-hidden className="sm:hidden">
        {way}
      </span>
    </span>
  );
}

type QuietProps = { quiet: { from: number; to: number } | null; timeZone: string | null; zones: string[] };

function QuietHours({ quiet, timeZone, zones }: QuietProps) {
  const hydrated = useHydrated();
  const here = hydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined;
  const chosen = timeZone ?? (here && isTimeZone(here) ? here : "UTC");
  // The server lists some zones by former names: Asia/Calcutta, where some browsers say Asia/Kolkata.
  const offered = zones.includes(chosen) ? zones : [chosen, ...zones];
  return (
    <div className="flex flex-col gap-5">
      <Switch name="quiet" label="Keep quiet hours" defaultChecked={quiet !== null} />
      <div className="grid grid-cols-2 gap-4">
        <Field label="From">
          <TextInput name="quietFrom" type="time" defaultValue={writeClock(quiet?.from ?? 22 * 60)} />
        </Field>
        <Field label="To">
          <TextInput name="quietTo" type="time" defaultValue={writeClock(quiet?.to ?? 7 * 60)} />
        </Field>
      </div>
      <div>
        <p className="mb-1.5 text-sm font-medium">Time zone</p>
        <Select
          key={chosen}
          name="timeZone"
          label="Time zone"
          options={offered.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          defaultValue={chosen}
          className="w-full"
        />
        <p className="mt-1.5 text-sm text-ink-2">Daily summaries arrive at 8 a.m., weekly ones on Mondays at 8 a.m.</p>
      </div>
    </div>
  );
}

import { data, Form, useNavigation } from "react-router";
import { ModerationHistory } from "#app/admin/moderation/moderation-history.tsx";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { useMay } from "#app/admin/shell/use-may.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { orNetworkFailure } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, FieldError } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Select } from "#app/ui/select.tsx";
import { longDate, shortDate } from "#domain/dates.ts";
import { counted } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { suspensionDays } from "#domain/moderation/moderation-action.ts";
import { Days, Reason } from "#domain/moderation/moderation-input.ts";
import { listModerationActions } from "#domain/moderation/notices.server.ts";
import { resetProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { findProfile, type Profile } from "#domain/profiles/profile-reads.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/member-page.ts";

/** One member: suspending them, clearing their profile, and what was decided on them. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const [profile, moderationActions] = await Promise.all([
    findProfile(site, params.id),
    listModerationActions(site, viewer, `user:${params.id}`),
  ]);
  return { profile, moderationActions };
}

type FormErrors = { what: string; error: string; reason: string; days: string };

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const text = (name: string) => String(form.get(name) ?? "");
  const typed = { what: text("do"), reason: text("reason"), days: text("days") };
  const [reason, days] = [Reason.safeParse(typed.reason), Days.safeParse(typed.what === "suspend" ? typed.days : 1)];
  const problem = reason.error?.issues[0]?.message ?? days.error?.issues[0]?.message;
  if (problem) return data<FormErrors>({ ...typed, error: problem }, { status: 422 });
  const asked = { what: typed.what, reason: reason.data ?? "", days: days.data ?? 0 };
  try {
    const done = await run(context.get(siteContext), context.get(viewerContext), params.id, asked);
    return redirectWithToast(`/admin/users/${encodeURIComponent(params.id)}`, { tone: "success", text: done });
  } catch (error) {
    return answerForm<FormErrors>(error, ({ message }) => ({ ...typed, error: message }));
  }
}

async function run(site: Site, viewer: Viewer, id: string, { what, reason, days }: { what: string; reason: string; days: number }) {
  if (what === "clear") {
    await resetProfile(site, viewer, id, { reason });
    return "Profile reset";
  }
  await suspendMember(site, viewer, id, { days, reason });
  return `Suspended for ${counted(days, "day")}`;
}

/** Without a connection the forms stay as they are. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const typed = { what: text("do"), reason: text("reason"), days: text("days") };
  return orNetworkFailure(serverAction, { ...typed, error: connectionLost } satisfies FormErrors);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => pageMeta(matches, { title: loaderData?.profile.name ?? "Member" });

export default function AdminMemberPage({ loaderData: { profile, moderationActions }, actionData }: Route.ComponentProps) {
  const may = useMay();
  const refused = (what: string) => (actionData?.what === what ? actionData : undefined);
  return (
    <>
      <PageHead
        title={profile.name}
        back={may("list members") ? { to: "/admin/users", label: "Users" } : { to: "/admin/reports", label: "Reports" }}
        line={`Joined ${shortDate(profile.joinedAt)} · ${counted(profile.postsCount, "published story", "published stories")}`}
      >
        <ButtonLink to={`/profile/${profile.id}`}>View</ButtonLink>
      </PageHead>
      <div className="mt-6 grid gap-5 lg:grid-cols-2">
        <Suspend profile={profile} refused={refused("suspend")} />
        <Clear profile={profile} refused={refused("clear")} />
      </div>
      <ModerationHistory moderationActions={moderationActions} />
    </>
  );
}

const choices = suspensionDays.map((days) => ({ value: String(days), label: counted(days, "day") }));

function Suspend({ profile, refused }: { profile: Profile; refused: FormErrors | undefined }) {
  const busy = useNavigation().state === "submitting";
  return (
    <Panel className="p-4 lg:p-5">
      <Form method="post">
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="display text-t2">Suspend</h2>
          {profile.suspendedUntil !== null && <Badge tone="warning">{`Until ${longDate(profile.suspendedUntil)}`}</Badge>}
        </div>
        <p className="mt-2 text-base text-ink-2">
          They can still sign in, read, download their data and appeal. They can’t publish, message or react, and their profile is hidden.
          Suspensions end automatically; undo below to end one early.
        </p>
        <Field label="For" className="mt-4">
          <Select name="days" label="For" options={choices} defaultValue={refused?.days ?? "7"} className="w-40" />
        </Field>
        <div className="mt-4">
          <ReasonField
            hint="The member sees this in their notifications and by email."
            error={refused?.error}
            defaultValue={refused?.reason}
            required
          />
        </div>
        <Button type="submit" name="do" value="suspend" variant="danger" busy={busy} className="mt-4">
          {profile.suspendedUntil === null ? "Suspend" : "Change suspension"}
        </Button>
      </Form>
    </Panel>
  );
}

function Clear({ profile, refused }: { profile: Profile; refused: FormErrors | undefined }) {
  const busy = useNavigation().state === "submitting";
  return (
    <Panel className="p-4 lg:p-5">
      <Form method="post">
        <h2 className="display text-t2">Reset profile</h2>
        <div className="mt-4 flex items-start gap-4">
          <Avatar id={profile.id} name={profile.name} profileImage={profile.profileImage} size={48} />
          <p className="line-clamp-6 min-w-0 text-base whitespace-pre-line [overflow-wrap:anywhere]">
            {profile.bio || <span className="text-ink-3">No bio</span>}
          </p>
        </div>
        <p className="mt-3 text-base text-ink-2">
          Removes the bio, links and picture. The member can add new ones; undo restores the old ones.{" "}
          <Link to={`/profile/${profile.id}`} className="underline underline-offset-4">
            View full profile
          </Link>
        </p>
        <div className="mt-4">
          <ReasonField hint="The member sees this in their notifications and by email." defaultValue={refused?.reason} required />
          {refused && <FieldError>{refused.error}</FieldError>}
        </div>
        <Button type="submit" name="do" value="clear" variant="danger" busy={busy} className="mt-4">
          Reset profile
        </Button>
      </Form>
    </Panel>
  );
}

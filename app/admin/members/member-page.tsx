import { ModerationHistory } from "#app/admin/moderation/moderation-history.tsx";
import { ReasonedForm } from "#app/admin/moderation/reasoned-form.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { useMay } from "#app/admin/shell/use-may.ts";
import { siteContext, viewerContext } from "#app/context.ts";
import { handleTextForm } from "#app/forms/handle-text-form.server.ts";
import { keepFormOnRequestFailure, parseField, readTexts } from "#app/forms/refused-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { Select } from "#app/ui/select.tsx";
import { longDate, shortDate } from "#domain/dates.ts";
import { pluralize } from "#domain/format.ts";
import { suspensionDays } from "#domain/moderation/moderation-action.ts";
import { Days, Reason } from "#domain/moderation/moderation-input.ts";
import { listModerationActions } from "#domain/moderation/notices.server.ts";
import { resetProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { findProfile } from "#domain/profiles/profile-reads.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/member-page.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const [profile, moderationActions] = await Promise.all([
    findProfile(site, params.id),
    listModerationActions(site, viewer, `user:${params.id}`),
  ]);
  return { profile, moderationActions };
}

type Values = Record<"do" | "reason" | "days", string>;
const readValues = (form: FormData): Values => readTexts(form, ["do", "reason", "days"]);

export function action({ params: { id }, ...args }: Route.ActionArgs) {
  return handleTextForm(args, readValues, async (values, site, viewer) => {
    const text = await run(site, viewer, id, values);
    return redirectWithToast(`/admin/users/${encodeURIComponent(id)}`, { tone: "success", text });
  });
}

async function run(site: Site, viewer: Viewer, id: string, values: Values): Promise<string> {
  const reason = parseField(Reason, values.reason, "reason");
  if (values.do === "clear") {
    await resetProfile(site, viewer, id, { reason });
    return "Profile reset";
  }
  const days = parseField(Days, values.days, "days");
  await suspendMember(site, viewer, id, { days, reason });
  return `Suspended for ${pluralize(days, "day")}`;
}

export const clientAction = keepFormOnRequestFailure(readValues);

export const meta: Route.MetaFunction = ({ matches, loaderData }) => pageMeta(matches, { title: loaderData?.profile.name ?? "Member" });

export default function AdminMemberPage({ loaderData: { profile, moderationActions }, actionData }: Route.ComponentProps) {
  const may = useMay();
  const { suspendedUntil } = profile;
  const refused = (what: string) => (actionData?.values.do === what ? actionData : undefined);
  return (
    <>
      <PageHead
        title={profile.name}
        back={may("list members") ? { to: "/admin/users", label: "Users" } : { to: "/admin/reports", label: "Reports" }}
        line={`Joined ${shortDate(profile.joinedAt)} · ${pluralize(profile.postsCount, "published story", "published stories")}`}
      >
        <ButtonLink to={`/profile/${profile.id}`}>View</ButtonLink>
      </PageHead>
      <div className="mt-6 grid gap-5 lg:grid-cols-2">
        <ReasonedForm
          value="suspend"
          button={suspendedUntil === null ? "Suspend" : "Change suspension"}
          hint={reasonHint}
          refused={refused("suspend")}
        >
          <div className="flex flex-wrap items-center gap-3">
            <h2 className="display text-t2">Suspend</h2>
            {suspendedUntil !== null && <Badge tone="warning">{`Until ${longDate(suspendedUntil)}`}</Badge>}
          </div>
          <p className="mt-2 text-base text-ink-2">
            They can still sign in, read, download their data and appeal. They can’t publish, message or react, and their profile is hidden.
            Suspensions end automatically; undo below to end one early.
          </p>
          <Field label="For" error={refused("suspend")?.errors.days} className="my-4">
            <Select name="days" options={dayOptions} defaultValue={refused("suspend")?.values.days ?? "7"} className="w-40" />
          </Field>
        </ReasonedForm>
        <ReasonedForm value="clear" button="Reset profile" hint={reasonHint} refused={refused("clear")}>
          <h2 className="display text-t2">Reset profile</h2>
          <div className="mt-4 flex items-start gap-4">
            <Avatar id={profile.id} name={profile.name} profileImage={profile.profileImage} size={48} />
            <p dir="auto" className="line-clamp-6 min-w-0 text-base whitespace-pre-line [overflow-wrap:anywhere]">
              {profile.bio || <span className="text-ink-3">No bio</span>}
            </p>
          </div>
          <p className="my-3 text-base text-ink-2">
            Removes the bio, links and picture. The member can add new ones; undo restores the old ones.{" "}
            <Link to={`/profile/${profile.id}`} className="underline underline-offset-4">
              View full profile
            </Link>
          </p>
        </ReasonedForm>
      </div>
      <ModerationHistory moderationActions={moderationActions} />
    </>
  );
}

const reasonHint = "The member sees this in their notifications and by email.";
const dayOptions = suspensionDays.map((days) => ({ value: String(days), label: pluralize(days, "day") }));

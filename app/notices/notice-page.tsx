import { Form, useNavigation } from "react-router";
import { SettingsLayout } from "#app/accounts/settings-layout.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { handleTextForm } from "#app/forms/handle-text-form.server.ts";
import { keepFormOnRequestFailure, parseField, type RefusedForm, readTexts } from "#app/forms/refused-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, TextArea } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { fullCount } from "#domain/format.ts";
import { appeal } from "#domain/moderation/appeals.server.ts";
import {
  actionTexts,
  appealMaxLength,
  isErased,
  maxAppeals,
  memberFacingMeaning,
  memberFacingTitles,
  undoProblem,
} from "#domain/moderation/moderation-action.ts";
import { AppealText } from "#domain/moderation/moderation-input.ts";
import { type Appeal, readNotice } from "#domain/moderation/notices.server.ts";
import { noticeTitle, undoneMeaning } from "#domain/moderation/undone-texts.ts";
import type { ReportStatus } from "#domain/reports/report.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/notice-page.ts";
import { NoticeState, ReasonText } from "./notice-state.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  return readNotice(context.get(siteContext), context.get(viewerContext), params.id);
}

const profileFieldLabels: Record<string, string> = {
  bio: "Bio",
  location: "Location",
  website: "Website",
  twitter: "Twitter",
  github: "GitHub",
  linkedIn: "LinkedIn",
};

type Values = { text: string };
const readValues = (form: FormData): Values => readTexts(form, ["text"]);

export function action({ params: { id }, ...args }: Route.ActionArgs) {
  const send = async ({ text }: Values, site: Site, viewer: Viewer) => {
    await appeal(site, viewer, id, parseField(AppealText, text, "text"));
    return redirectWithToast(`/notices/${encodeURIComponent(id)}`, { tone: "success", text: actionTexts.appealSent });
  };
  return handleTextForm(args, readValues, send, ["not-found"]);
}

export const clientAction = keepFormOnRequestFailure(readValues);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData ? noticeTitle(loaderData.notice) : "Notice" });

export default function NoticePage({ loaderData: { notice, appeals, cleared }, actionData }: Route.ComponentProps) {
  const { now } = useRoot();
  const isUndone = notice.undoneAt !== null;
  const isFinal = !isUndone && isErased(notice, now);
  const texts = Object.entries(cleared);
  return (
    <SettingsLayout back={{ to: "/notifications", label: "Notifications" }} title={noticeTitle(notice)}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-base text-ink-2">
        <NoticeState notice={notice} now={now} />
        <span>
          {isUndone && `${memberFacingTitles[notice.kind]}. `}
          {notice.byRule ? "By an automatic rule" : "By the site’s staff"}, {dateAndTime(notice.createdAt)}
          {notice.undoneAt !== null && `. Undone ${dateAndTime(notice.undoneAt)}`}
        </span>
      </p>
      {isUndone && <p className="mt-6 text-base">{undoneMeaning(notice)}</p>}
      {notice.postId && (
        <p className="mt-6 text-base font-medium">
          {isFinal ? (
            notice.title
          ) : (
            <Link to={`/post/${notice.postId}`} className="text-accent-ink underline decoration-accent-line underline-offset-4">
              {notice.title}
            </Link>
          )}
        </p>
      )}
      <h2 className="display mt-8 text-t2">Why</h2>
      <div className="mt-3">
        <ReasonText reason={notice.reason} />
      </div>
      {!isUndone && <p className="mt-6 text-base text-ink-2">{isFinal ? actionTexts.permanentlyDeleted : memberFacingMeaning(notice)}</p>}
      {texts.length > 0 && (
        <dl className="mt-6 text-base">
          {texts.map(([name, text]) => (
            <div key={name} className="flex flex-wrap gap-x-3 border-b border-line py-2">
              <dt className="w-28 text-ink-3">{profileFieldLabels[name] ?? name}</dt>
              <dd dir="auto" className="min-w-0 flex-1 whitespace-pre-line [overflow-wrap:anywhere]">
                {text}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {appeals.length > 0 && (
        <section className="mt-12">
          <h2 className="display text-t2">Your appeal</h2>
          {appeals.map((each) => (
            <AppealItem key={each.id} appeal={each} now={now} />
          ))}
        </section>
      )}
      <AppealForm {...{ appeals, actionData }} closed={undoProblem(notice, now)} />
    </SettingsLayout>
  );
}

const states: Record<ReportStatus, { tone: BadgeTone; label: string }> = {
  pending: { tone: "warning", label: "Waiting" },
  resolved: { tone: "success", label: "Granted" },
  dismissed: { tone: "neutral", label: "Not granted" },
};

function AppealItem({ appeal, now }: { appeal: Appeal; now: number }) {
  const { tone, label } = states[appeal.status];
  return (
    <article className="mt-4 border-t border-line pt-4">
      <p className="flex items-center gap-3 text-sm text-ink-2">
        <Badge tone={tone} dot={appeal.status === "pending" ? "hollow" : "solid"}>
          {label}
        </Badge>
        <TimeAgo time={appeal.createdAt} now={now} />
      </p>
      <p dir="auto" className="mt-3 whitespace-pre-line text-base [overflow-wrap:anywhere]">
        {appeal.text}
      </p>
      {appeal.answer && (
        <div className="mt-4 rounded-lg border border-line bg-raised p-4">
          <p className="text-sm font-medium text-ink-2">The staff’s answer</p>
          <p dir="auto" className="mt-1 whitespace-pre-line text-base [overflow-wrap:anywhere]">
            {appeal.answer}
          </p>
        </div>
      )}
    </article>
  );
}

type FormProps = { appeals: Appeal[]; closed: string | undefined; actionData: RefusedForm<Values> | undefined };

function AppealForm({ appeals, closed, actionData }: FormProps) {
  const busy = useNavigation().formMethod === "POST";
  const error = actionData?.errors.text ?? actionData?.errors.form;
  const isOpen = appeals.some(({ status }) => status === "pending");
  if (closed !== undefined || isOpen || appeals.length >= maxAppeals) {
    if (!actionData) return null;
    // The appeal can’t be sent anymore; show what was typed so that it isn’t lost.
    return <p className="mt-8 whitespace-pre-line text-base">{`${error}\n\n${actionData.values.text}`}</p>;
  }
  return (
    <Form method="post" className="mt-12 border-t border-line pt-8">
      <h2 className="display text-t2">{appeals.length > 0 ? "Appeal again" : "Appeal"}</h2>
      <p className="mt-2 text-base text-ink-2">Tell the site’s staff why they should change this decision. They’ll answer here.</p>
      <Field label="Your appeal" error={error} hint={`Up to ${fullCount(appealMaxLength)} characters.`} className="mt-5">
        <TextArea name="text" rows={6} maxLength={appealMaxLength} required defaultValue={actionData?.values.text} />
      </Field>
      <Button type="submit" variant="primary" busy={busy} busyLabel="Sending..." className="mt-4">
        Send appeal
      </Button>
    </Form>
  );
}

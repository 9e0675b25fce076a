import { data, Form, useNavigation } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { cameFrom, localPath } from "#app/shell/local-path.ts";
import { orNetworkFailure } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { excerpt } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { NotFound } from "#domain/refusals.ts";
import { noteMaxLength, type ReportKind, reportNouns, reportTexts } from "#domain/reports/report.ts";
import { ReportInput, ReportSubject } from "#domain/reports/report-input.ts";
import { findReportable, report } from "#domain/reports/reports.server.ts";
import type { Route } from "./+types/report-page.ts";
import { type ReportAnswer, ReportFields } from "./report-fields.tsx";

const pages: Record<ReportKind, (id: string) => string> = {
  post: (id) => `/post/${encodeURIComponent(id)}`,
  profile: (id) => `/profile/${encodeURIComponent(id)}`,
  message: () => "/messages",
};

/** The report's own page, for browsers without JavaScript and for anyone who had to log in first. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const subject = ReportSubject.safeParse({ kind: url.searchParams.get("kind"), subjectId: url.searchParams.get("id") });
  if (!subject.success) throw new NotFound();
  const { kind, subjectId } = subject.data;
  const about = await findReportable(site, context.get(viewerContext), subject.data);
  const from = cameFrom(request, site.url, pages[kind](subjectId));
  const back = /^\/(report|login|signup)\b/.test(from) ? pages[kind](subjectId) : from;
  return { kind, subjectId, ownerName: about.ownerName, excerpt: excerpt(about.excerpt, 200), back };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const field = (name: string) => String(form.get(name) ?? "");
  const typed = { reason: field("reason"), note: field("note").slice(0, 2 * noteMaxLength) };
  const input = ReportInput.safeParse(Object.fromEntries(form));
  if (!input.success) {
    const messages = problemsOf(input.error.issues);
    const { reason, note } = messages as { reason?: string; note?: string };
    const message = reason || note ? undefined : reportTexts.failed;
    return data<ReportAnswer>({ sent: false, message, errors: { reason, note }, typed }, { status: 422 });
  }
  let text: string;
  try {
    const { added } = await report(context.get(siteContext), context.get(viewerContext), input.data);
    text = added ? reportTexts.added : reportTexts.sent;
  } catch (error) {
    return answerForm<ReportAnswer>(error, ({ message }) => ({ sent: false, message, errors: {}, typed }), ["sign-in-first"]);
  }
  if (form.get("scripted") === "yes") return data<ReportAnswer>({ sent: true, text });
  const { kind, subjectId } = input.data;
  throw redirectWithToast(localPath(form.get("back"), pages[kind](subjectId)), { tone: "success", text });
}

/** Without a connection the form stays as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const typed = { reason: String(form.get("reason") ?? ""), note: String(form.get("note") ?? "") };
  return orNetworkFailure(serverAction, { sent: false, message: reportTexts.failed, errors: {}, typed } satisfies ReportAnswer);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData ? `Report this ${reportNouns[loaderData.kind]}` : "Report" });

export default function ReportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, subjectId, ownerName, excerpt: about, back } = loaderData;
  const busy = useNavigation().formAction?.startsWith("/report") ?? false;
  const refusal = actionData?.sent === false ? actionData : undefined;
  return (
    <div className="mx-auto w-full max-w-[520px] px-4 pt-10 pb-20 lg:pt-16">
      <h1 className="display text-d1">Report this {reportNouns[kind]}</h1>
      <blockquote dir="auto" className="mt-5 rounded-lg border border-line bg-raised px-4 py-3">
        <p className="font-reading break-words">{about}</p>
        <footer className="mt-1 text-sm text-ink-2">{ownerName}</footer>
      </blockquote>
      {kind === "message" && <p className="mt-4 text-sm text-ink-2">{reportTexts.evidence}</p>}
      <Form method="post" className="mt-7 flex flex-col gap-5">
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="subjectId" value={subjectId} />
        <input type="hidden" name="back" value={back} />
        <ReportFields refusal={refusal} />
        <div className="flex gap-2">
          <ButtonLink to={back}>Cancel</ButtonLink>
          <Button type="submit" variant="primary" busy={busy} busyLabel="Sending...">
            Send report
          </Button>
        </div>
      </Form>
    </div>
  );
}

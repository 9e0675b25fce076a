import { Form, useNavigation } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { invalidForm, keepFormOnRequestFailure, readTexts, refuseForm } from "#app/forms/refused-form.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { localPath, refererPath } from "#app/shell/local-path.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { excerpt } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { Invalid, NotFound } from "#domain/refusals.ts";
import { type ReportKind, reportNouns, reportTexts } from "#domain/reports/report.ts";
import { ReportInput, ReportSubject } from "#domain/reports/report-input.ts";
import { findReportable, report } from "#domain/reports/reports.server.ts";
import type { Route } from "./+types/report-page.ts";
import { ReportFields, type ReportFormValues } from "./report-fields.tsx";

const pages: Record<ReportKind, (id: string) => string> = {
  post: (id) => `/post/${encodeURIComponent(id)}`,
  profile: (id) => `/profile/${encodeURIComponent(id)}`,
  message: () => "/messages",
};

/** For browsers without JavaScript, and for visitors who had to sign in first. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const subject = ReportSubject.safeParse({ kind: url.searchParams.get("kind"), subjectId: url.searchParams.get("id") });
  if (!subject.success) throw new NotFound();
  const { kind, subjectId } = subject.data;
  const about = await findReportable(site, context.get(viewerContext), subject.data);
  const from = refererPath(request, site.url, pages[kind](subjectId));
  const back = /^\/(report|login|signup)\b/.test(from) ? pages[kind](subjectId) : from;
  return { kind, subjectId, ownerName: about.ownerName, excerpt: excerpt(about.excerpt, 200), back };
}

const readValues = (form: FormData): ReportFormValues => readTexts(form, ["reason", "note"]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const values = readValues(form);
  const input = ReportInput.safeParse(Object.fromEntries(form));
  if (!input.success) {
    const { reason, note } = problemsOf(input.error.issues);
    return reason || note ? invalidForm(values, input.error) : refuseForm(new Invalid(reportTexts.failed), values);
  }
  try {
    const { added } = await report(context.get(siteContext), context.get(viewerContext), input.data);
    const text = added ? reportTexts.added : reportTexts.sent;
    if (form.get("scripted") === "yes") return { sent: text };
    const { kind, subjectId } = input.data;
    return redirectWithToast(localPath(form.get("back"), pages[kind](subjectId)), { tone: "success", text });
  } catch (error) {
    return refuseForm(error, values);
  }
}

export const clientAction = keepFormOnRequestFailure(readValues, reportTexts.failed);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: loaderData ? `Report this ${reportNouns[loaderData.kind]}` : "Report" });

export default function ReportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, subjectId, ownerName, excerpt: about, back } = loaderData;
  const busy = useNavigation().formAction?.startsWith("/report") ?? false;
  return (
    <div className="mx-auto w-full max-w-[520px] px-4 pt-10 pb-20 lg:pt-16">
      <h1 className="display text-d1">Report this {reportNouns[kind]}</h1>
      <blockquote dir="auto" className="mt-5 rounded-lg border border-line bg-raised px-4 py-3">
        <p className="font-reading">{about}</p>
        <footer className="mt-1 text-sm text-ink-2">{ownerName}</footer>
      </blockquote>
      {kind === "message" && <p className="mt-4 text-sm text-ink-2">{reportTexts.evidence}</p>}
      <Form method="post" className="mt-7 flex flex-col gap-5">
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="subjectId" value={subjectId} />
        <input type="hidden" name="back" value={back} />
        <ReportFields refused={actionData && "values" in actionData ? actionData : undefined} />
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

import { useEffect } from "react";
import { data, Form, useFetcher, useNavigation } from "react-router";
import { OnOff } from "#app/admin/shell/on-off.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { type FailedPart, partOf } from "#app/shell/keep-screen.ts";
import { orNetworkFailure } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { answerForm } from "#app/shell/refusals.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialogs/confirm-dialog.tsx";
import { QuestionPage } from "#app/ui/dialogs/question-page.tsx";
import { Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { shortDate } from "#domain/dates.ts";
import { fullCount } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { mustBeAllowed } from "#domain/permissions.ts";
import { dryRunDays, dryRunFirst, dryRunMost, dryRunShown, outcomeNames, type Rule, ruleInWords, ruleTexts } from "#domain/rules/rule.ts";
import { RuleInput } from "#domain/rules/rule-input.ts";
import { type DryRun, deleteRule, dryRun, findRule, saveRule, setRuleEnabled } from "#domain/rules/rules.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/rule-page.ts";
import { fieldsOf, RuleFields, type RuleTyped } from "./rule-fields.tsx";

/** A rule, what it would have caught, and the switch beside that. `new` is one that isn't there yet. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  mustBeAllowed(viewer, "set rules");
  if (params.id === "new") return { rule: null, tried: null, isFar: false };
  const rule = await findRule(site, viewer, params.id);
  const isFar = new URL(request.url).searchParams.has("far");
  return { rule, tried: await dryRun(site, viewer, rule.conditions, isFar ? dryRunMost : dryRunFirst), isFar };
}

type FormErrors = { errors: Partial<Record<keyof RuleTyped, string | undefined>> & { form?: string }; typed: RuleTyped };

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const wanted = String(form.get("do"));
  try {
    if (wanted === "save") return await save(site, viewer, params.id, form);
    return await change(site, viewer, params.id, wanted, form.get("confirmed") === "yes");
  } catch (error) {
    if (error instanceof Response) throw error;
    return answerForm<FormErrors>(error, ({ message }) => ({ errors: { form: message }, typed: typedIn(form) }));
  }
}

function typedIn(form: FormData): RuleTyped {
  const text = (name: string) => String(form.get(name) ?? "");
  const [younger, stories, links, words] = [text("younger"), text("stories"), text("links"), text("words")];
  return { younger, stories, links, words, outcome: text("outcome") || "report", message: text("message") };
}

async function save(site: Site, viewer: Viewer, id: string, form: FormData) {
  const input = RuleInput.safeParse(Object.fromEntries(form));
  if (!input.success) {
    const errors = problemsOf(input.error.issues);
    return data<FormErrors>({ errors, typed: typedIn(form) }, { status: 422 });
  }
  const saved = await saveRule(site, viewer, id === "new" ? undefined : id, input.data);
  return redirectWithToast(`/admin/reports/rules/${saved}`, { tone: "success", text: ruleTexts.saved });
}

async function change(site: Site, viewer: Viewer, id: string, wanted: string, confirmed: boolean) {
  if (wanted === "delete" && !confirmed) return data({ ask: true as const });
  if (wanted === "delete") {
    await deleteRule(site, viewer, id);
    return redirectWithToast("/admin/reports/rules", { tone: "success", text: ruleTexts.removed });
  }
  await setRuleEnabled(site, viewer, id, wanted === "on");
  return redirectWithToast(`/admin/reports/rules/${encodeURIComponent(id)}`, {
    tone: "success",
    text: wanted === "on" ? ruleTexts.on : ruleTexts.off,
  });
}

/** Without a connection the form stays as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const typed = typedIn(await request.clone().formData());
  const lost: FormErrors = { errors: { form: connectionLost }, typed };
  return orNetworkFailure(serverAction, lost);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => pageMeta(matches, { title: loaderData?.rule ? "Rule" : "New rule" });

const deleteQuestion = "Delete this rule?";
const deleteConsequence = "It will no longer check new stories. Stories it has already reported or held stay that way.";

export default function RulePage({ loaderData: { rule, tried, isFar }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  if (rule && actionData && "ask" in actionData)
    return (
      <QuestionPage
        title={deleteQuestion}
        subject={`If ${ruleInWords(rule.conditions)}`}
        question={deleteConsequence}
        cancel={`/admin/reports/rules/${rule.id}`}
        confirmLabel="Delete rule"
        danger
        fields={{ do: "delete" }}
      />
    );
  return (
    <>
      <PageHead
        title={rule ? "Rule" : "New rule"}
        line={rule ? `If ${ruleInWords(rule.conditions)}` : "A story must match everything you fill in. Leave the rest blank."}
        back={{ to: "/admin/reports/rules", label: "Rules" }}
      />
      {rule && tried && <Trial key={rule.updatedAt} rule={rule} first={tried} isFar={isFar} busy={busy} />}
      <Form key={rule?.updatedAt} method="post" className="mt-8 max-w-[720px]" noValidate>
        {rule && <h2 className="display mb-4 text-t2">Edit</h2>}
        <Panel className="p-4 lg:p-5">
          <RuleFields typed={refused?.typed ?? fieldsOf(rule)} errors={refused?.errors ?? {}} />
        </Panel>
        {refused?.errors.form && (
          <p role="alert" className="mt-3 text-sm text-danger">
            {refused.errors.form}
          </p>
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" name="do" value="save" variant={rule ? "secondary" : "primary"} busy={busy} busyLabel="Saving...">
            {rule ? "Save and test again" : "Save and test"}
          </Button>
        </div>
        {rule?.enabled && <p className="mt-3 text-sm text-ink-2">Editing a rule turns it off until you turn it on again.</p>}
      </Form>
      {rule && (
        <div className="mt-8 border-t border-line pt-6">
          <ConfirmDialog
            button={{ variant: "danger", icon: Trash2, children: "Delete rule" }}
            title={deleteQuestion}
            text={deleteConsequence}
            confirmLabel="Delete rule"
            danger
            action={`/admin/reports/rules/${rule.id}`}
            fields={{ do: "delete" }}
          />
        </div>
      )}
    </>
  );
}

/** What the page has looked at, and then as much more as a dry run looks at. */
function useFarther(rule: Rule, first: DryRun, isFar: boolean) {
  const { load, data } = useFetcher<typeof loader | (() => FailedPart)>();
  const farther = `/admin/reports/rules/${rule.id}?far`;
  const wanted = first.isPart && !isFar;
  useEffect(() => {
    // Where that fails the link stays.
    if (wanted) void load(partOf(farther));
  }, [wanted, load, farther]);
  const more = data && "tried" in data ? data.tried : undefined;
  return { tried: more ?? first, farther: wanted && !more ? farther : undefined };
}

type TrialOf = { rule: Rule; first: DryRun; isFar: boolean; busy: boolean };

/** What the rule would have caught, and the switch: nobody switches on what they have not seen. */
function Trial({ rule, first, isFar, busy }: TrialOf) {
  const { tried, farther } = useFarther(rule, first, isFar);
  const { caught, looked, isPart, newest } = tried;
  return (
    <Panel className="mt-6">
      <div className="flex flex-wrap items-start justify-between gap-4 p-4 lg:p-5">
        <div className="min-w-0 flex-1 basis-80">
          <p className="flex flex-wrap items-center gap-3">
            <OnOff on={rule.enabled} />
            <span className="text-base text-ink-2">{outcomeNames[rule.outcome]}</span>
          </p>
          <p className="display num mt-3 text-t3">
            {caught === 0 ? "Would have matched no stories" : `Would have matched ${fullCount(caught)} of ${fullCount(looked)} stories`}
          </p>
          <p className="mt-1 text-base text-ink-2">
            {isPart
              ? `Of the newest ${fullCount(looked)} stories published in the last ${dryRunDays} days, as they were when published.`
              : `Of all stories published in the last ${dryRunDays} days, as they were when published.`}
          </p>
          {farther && (
            <Link to={farther} className="mt-1 inline-block text-base text-accent-ink underline">
              View the newest {fullCount(dryRunMost)}
            </Link>
          )}
        </div>
        <Form method="post">
          <Button type="submit" name="do" value={rule.enabled ? "off" : "on"} variant={rule.enabled ? "secondary" : "primary"} busy={busy}>
            {rule.enabled ? "Turn off" : "Turn on"}
          </Button>
        </Form>
      </div>
      {newest.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {newest.map(({ id, title, userName, publishedAt }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 lg:px-5">
              <Link to={`/post/${id}`} className="min-w-0 flex-1 basis-64 font-medium [overflow-wrap:anywhere] hover:text-accent-ink">
                {title}
              </Link>
              <span className="text-sm text-ink-2">{userName}</span>
              <span className="num text-sm text-ink-3">{shortDate(publishedAt)}</span>
            </li>
          ))}
          {caught > newest.length && <li className="px-4 py-3 text-sm text-ink-2 lg:px-5">The newest {dryRunShown} of them.</li>}
        </ul>
      )}
    </Panel>
  );
}

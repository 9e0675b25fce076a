import { useEffect } from "react";
import { Form, useFetcher, useNavigation } from "react-router";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { OnOff } from "#app/admin/shell/on-off.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { invalidForm, keepFormOnRequestFailure, readTexts, refuseForm } from "#app/forms/refused-form.ts";
import { revalidateAfterOwnForms } from "#app/forms/revalidate-after-own-forms.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { type FailedPart, partOf } from "#app/shell/preserve-screen.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { ConfirmPage } from "#app/ui/dialogs/confirm-page.tsx";
import { Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { shortDate } from "#domain/dates.ts";
import { fullCount } from "#domain/format.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { wholeNumber } from "#domain/forms/whole-number.ts";
import { requirePermission } from "#domain/permissions.ts";
import {
  dryRunDays,
  dryRunInitialPosts,
  dryRunMaxMatches,
  dryRunMaxPosts,
  outcomeNames,
  type Rule,
  ruleInWords,
  ruleTexts,
} from "#domain/rules/rule.ts";
import { RuleInput } from "#domain/rules/rule-input.ts";
import { type DryRun, deleteRule, dryRun, findRule, saveRule, setRuleEnabled } from "#domain/rules/rules.server.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/rule-page.ts";
import { fieldsOf, RuleFields, type RuleFormValues, ruleFields } from "./rule-fields.tsx";

const rulesPath = "/admin/reports/rules";

/** `/admin/reports/rules/new` is the form for a new rule; `?full` extends the dry run to more stories. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  requirePermission(viewer, "set rules");
  if (params.id === "new") return { rule: null, result: null, isFull: false };
  const rule = await findRule(site, viewer, params.id);
  const isFull = url.searchParams.has("full");
  return { rule, result: await dryRun(site, viewer, rule.conditions, isFull ? dryRunMaxPosts : dryRunInitialPosts), isFull };
}

/** `version`: the rule that the next save replaces. */
type Values = RuleFormValues & { version: string };
const readValues = (form: FormData): Values => readTexts(form, [...ruleFields, "version"]);

export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const form = await readForm(request);
  const operation = form.get("do");
  if (operation === "delete" && form.get("confirmed") !== "yes") return { ask: true };
  const values = readValues(form);
  try {
    if (operation === "save") return await save(site, viewer, id, values);
    if (operation === "delete") {
      await deleteRule(site, viewer, id);
      return redirectWithToast(rulesPath, { tone: "success", text: ruleTexts.removed });
    }
    const text = operation === "on" ? ruleTexts.on : ruleTexts.off;
    await setRuleEnabled(site, viewer, id, operation === "on", versionOf(values));
    return redirectWithToast(pageOf(id), { tone: "success", text });
  } catch (error) {
    const { code, message } = refusalOf(error);
    if (code !== "conflict") return refuseForm(error, values);
    // The page tests the rule as it is now.
    if (operation === "on") return redirectWithToast(pageOf(id), { tone: "error", text: message });
    return refuseForm(error, { ...values, version: String((await findRule(site, viewer, id)).updatedAt) });
  }
}

const versionOf = ({ version }: Values) => wholeNumber(version, Number.MAX_SAFE_INTEGER);
const pageOf = (id: string) => `${rulesPath}/${encodeURIComponent(id)}`;

async function save(site: Site, viewer: Viewer, id: string, values: Values) {
  const input = RuleInput.safeParse(values);
  if (!input.success) return invalidForm(values, input.error);
  const saved = await saveRule(site, viewer, id === "new" ? undefined : id, input.data, versionOf(values));
  return redirectWithToast(pageOf(saved), { tone: "success", text: ruleTexts.saved });
}

export const clientAction = keepFormOnRequestFailure(readValues);
export const shouldRevalidate = revalidateAfterOwnForms;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => pageMeta(matches, { title: loaderData?.rule ? "Rule" : "New rule" });

const question = { title: "Delete this rule?", confirmLabel: "Delete rule", danger: true, fields: { do: "delete" } };
const consequence = "It will no longer check new stories. Stories it has already reported or held stay that way.";

export default function RulePage({ loaderData: { rule, result, isFull }, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  if (rule && actionData && "ask" in actionData)
    return (
      <ConfirmPage {...question} subject={`If ${ruleInWords(rule.conditions)}`} text={consequence} cancel={`${rulesPath}/${rule.id}`} />
    );
  return (
    <>
      <PageHead
        title={rule ? "Rule" : "New rule"}
        line={rule ? `If ${ruleInWords(rule.conditions)}` : "A story must match everything you fill in. Leave the rest blank."}
        back={{ to: rulesPath, label: "Rules" }}
      />
      {rule && result && <DryRunPanel key={rule.updatedAt} rule={rule} first={result} isFull={isFull} busy={busy} />}
      <Form key={rule?.updatedAt} method="post" className="mt-8 max-w-[720px]" noValidate>
        {rule && <h2 className="display mb-4 text-t2">Edit</h2>}
        {rule && <input type="hidden" name="version" value={refused?.values.version ?? rule.updatedAt} />}
        <Panel className="p-4 lg:p-5">
          <RuleFields values={refused?.values ?? fieldsOf(rule)} errors={refused?.errors ?? {}} />
        </Panel>
        <FormError>{refused?.errors.form}</FormError>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" name="do" value="save" variant={rule ? "secondary" : "primary"} busy={busy} busyLabel="Saving...">
            {rule ? "Save and test again" : "Save and test"}
          </Button>
        </div>
        {rule?.enabled && <p className="mt-3 text-sm text-ink-2">Editing a rule turns it off until you turn it on again.</p>}
      </Form>
      {rule && (
        <div className="mt-8 border-t border-line pt-6">
          <ConfirmFormDialog
            button={{ variant: "danger", icon: Trash2, children: "Delete rule" }}
            {...question}
            text={consequence}
            action={`${rulesPath}/${rule.id}`}
          />
        </div>
      )}
    </>
  );
}

/** Starts with the page’s dry run over few stories, and loads one over as many as allowed. */
function useFullDryRun(rule: Rule, first: DryRun, isFull: boolean) {
  const { load, data } = useFetcher<typeof loader | (() => FailedPart)>();
  const path = `${rulesPath}/${rule.id}?full`;
  const isWanted = first.isPart && !isFull;
  useEffect(() => {
    if (isWanted) void load(partOf(path));
  }, [isWanted, load, path]);
  const full = data && "result" in data ? data.result : undefined;
  // After a failed load the link remains.
  return { result: full ?? first, more: isWanted && !full ? path : undefined };
}

type DryRunPanelProps = { rule: Rule; first: DryRun; isFull: boolean; busy: boolean };

/** The switch is next to the dry run, so that nobody turns on a rule without seeing what it matches. */
function DryRunPanel({ rule, first, isFull, busy }: DryRunPanelProps) {
  const { result, more } = useFullDryRun(rule, first, isFull);
  const { matched, checked, isPart, newest } = result;
  return (
    <Panel className="mt-6">
      <div className="flex flex-wrap items-start justify-between gap-4 p-4 lg:p-5">
        <div className="min-w-0 flex-1 basis-80">
          <p className="flex flex-wrap items-center gap-3">
            <OnOff on={rule.enabled} />
            <span className="text-base text-ink-2">{outcomeNames[rule.outcome]}</span>
          </p>
          <p className="display num mt-3 text-t3">
            {matched === 0 ? "Would have matched no stories" : `Would have matched ${fullCount(matched)} of ${fullCount(checked)} stories`}
          </p>
          <p className="mt-1 text-base text-ink-2">
            {`Of ${isPart ? `the newest ${fullCount(checked)}` : "all"} stories published in the last ${dryRunDays} days, as they were when published.`}
          </p>
          {more && (
            <Link to={more} className="mt-1 inline-block text-base text-accent-ink underline">
              View the newest {fullCount(dryRunMaxPosts)}
            </Link>
          )}
        </div>
        <Form method="post">
          <input type="hidden" name="version" value={rule.updatedAt} />
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
          {matched > newest.length && <li className="px-4 py-3 text-sm text-ink-2 lg:px-5">Showing the newest {dryRunMaxMatches}.</li>}
        </ul>
      )}
    </Panel>
  );
}

import { type FormEvent, useState } from "react";
import { Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { invalidForm, keepFormOnRequestFailure, type RefusedForm, readTexts, refuseForm } from "#app/forms/refused-form.ts";
import { revalidateAfterOwnForms } from "#app/forms/revalidate-after-own-forms.ts";
import { pageStyles } from "#app/pages/page-styles.ts";
import { PostHtml } from "#app/posts/post-html.tsx";
import { redirectWithToast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { LeaveGuard } from "#app/ui/dialogs/leave-guard.tsx";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { ArrowUpRight, Eye, Save } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { longDate } from "#domain/dates.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { type PageWords, pageTextLimits, pageTextWords } from "#domain/pages/page-text.ts";
import { PageTextInput } from "#domain/pages/page-text-input.ts";
import { changePage, defaultText, readPageText } from "#domain/pages/page-texts.server.ts";
import { previewContent } from "#domain/posts/posts.server.ts";
import { Invalid } from "#domain/refusals.ts";
import type { Route } from "./+types/page-text-page.ts";

/** With `?original` the form holds the default text, and nothing changes until it is saved. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { title, lead, text, version, ...page } = await readPageText(site, context.get(viewerContext), params.path);
  const isOriginal = url.searchParams.has("original");
  const initial = isOriginal ? defaultText(site, params.path) : { title, lead, text };
  return { ...page, version, name: title, isOriginal, values: { ...initial, version: String(version) } };
}

/** `version`: the text that the next save replaces. */
type Values = PageWords & { version: string };
const readValues = (form: FormData): Values => readTexts(form, ["title", "lead", "text", "version"]);

export async function action({ request, params: { path }, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const form = await readForm(request, formLimits.text);
  const values = readValues(form);
  try {
    if (form.get("do") === "preview") return { values, errors: {}, preview: (await previewContent(site, viewer, values.text)).html };
    const input = PageTextInput.safeParse(values);
    if (!input.success) return invalidForm(values, input.error);
    await changePage(site, viewer, path, input.data, Number(values.version));
    return redirectWithToast(`/admin/settings/pages/${path}`, { tone: "success", text: pageTextWords.saved });
  } catch (error) {
    const { code, field, message } = refusalOf(error);
    if (field === "content") return refuseForm(new Invalid(message, "text"), values);
    if (code !== "conflict") return refuseForm(error, values);
    return refuseForm(error, { ...values, version: String((await readPageText(site, viewer, path)).version) });
  }
}

export const clientAction = keepFormOnRequestFailure(readValues);

export function shouldRevalidate(change: ShouldRevalidateFunctionArgs): boolean {
  return change.formData?.get("do") !== "preview" && revalidateAfterOwnForms(change);
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Edit Page" });

export default function PageTextPage({ loaderData, actionData }: Route.ComponentProps) {
  const { path, name, isOriginal, updatedAt } = loaderData;
  const { values, errors }: RefusedForm<Values> = actionData ?? { values: loaderData.values, errors: {} };
  const preview = actionData && "preview" in actionData ? actionData.preview : undefined;
  return (
    <>
      <PageHead
        title={name}
        line={updatedAt === null ? "Default text." : `Changed ${longDate(updatedAt)}.`}
        back={{ to: "/admin/settings/pages", label: "Pages" }}
      >
        <ButtonLink to={`/${path}`} iconAfter={ArrowUpRight}>
          View page
        </ButtonLink>
      </PageHead>
      <PageForm key={`${path} ${loaderData.version} ${isOriginal}`} initial={loaderData.values} values={values} errors={errors} />
      {isOriginal && <p className="mt-4 text-base text-ink-2">This is the default text. Save to publish it.</p>}
      {!isOriginal && updatedAt !== null && (
        <p className="mt-4 text-base text-ink-2">
          <Link to="?original" preventScrollReset className="underline decoration-line-strong underline-offset-4 hover:text-ink">
            Review the default text
          </Link>{" "}
          before you restore it.
        </p>
      )}
      {preview !== undefined && <Preview title={values.title} lead={values.lead} html={preview} />}
    </>
  );
}

/** `initial`: before anything was typed. */
function PageForm({ initial, values, errors }: RefusedForm<Values> & { initial: PageWords }) {
  const [unsaved, setUnsaved] = useState(false);
  const saving = useNavigation().formData?.get("do") === "save";
  const compare = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const { title, lead, text } = readValues(new FormData(currentTarget));
    setUnsaved(title !== initial.title || lead !== initial.lead || text !== initial.text);
  };
  return (
    <Form method="post" className="mt-6 max-w-[820px]" noValidate onChange={compare}>
      <LeaveGuard unsaved={unsaved && !saving} text="Your changes to the page aren’t saved yet." withQuery />
      <input type="hidden" name="version" value={values.version} />
      <Fields values={values} errors={errors} />
      <FormError>{errors.form}</FormError>
      <Buttons />
    </Form>
  );
}

function Fields({ values, errors }: RefusedForm<Values>) {
  return (
    <Panel className="flex flex-col gap-5 p-4 lg:p-5">
      <Field label="Title" error={errors.title}>
        <TextInput name="title" autoComplete="off" maxLength={pageTextLimits.title} defaultValue={values.title} />
      </Field>
      <Field label="Summary" hint="Shown below the title and in search results." error={errors.lead}>
        <TextArea name="lead" rows={2} maxLength={pageTextLimits.lead} defaultValue={values.lead} className="min-h-0!" />
      </Field>
      <Field label="Text" hint="Markdown, as in stories. Start a heading with ##." error={errors.text}>
        <TextArea name="text" rows={18} defaultValue={values.text} className="font-mono text-sm! leading-relaxed!" />
      </Field>
    </Panel>
  );
}

function Buttons() {
  const { state, formData } = useNavigation();
  const doing = state === "idle" ? undefined : formData?.get("do");
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button type="submit" name="do" value="save" variant="primary" icon={Save} busy={doing === "save"} busyLabel="Saving...">
        Save Changes
      </Button>
      <Button type="submit" name="do" value="preview" icon={Eye} busy={doing === "preview"} busyLabel="Loading preview...">
        Preview
      </Button>
    </div>
  );
}

function Preview({ title, lead, html }: { title: string; lead: string; html: string }) {
  return (
    <section aria-label="Preview" className="mt-8 max-w-[820px] rounded-lg border border-line bg-paper p-5 lg:p-10">
      <p className="display text-d1">{title}</p>
      <p className="mt-4 text-pretty font-reading text-lg leading-[1.6]! text-ink-2">{lead}</p>
      <PostHtml html={html} className={`${pageStyles} mt-8`} />
    </section>
  );
}

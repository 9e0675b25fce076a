import { data, Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { pageLook } from "#app/pages/page-look.ts";
import { PostHtml } from "#app/posts/post-html.tsx";
import { connectionLost } from "#app/shell/closed.ts";
import { redirectWithToast } from "#app/shell/flash.ts";
import { orNetworkFailure } from "#app/shell/or-lost.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { refusalOf } from "#app/shell/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { ArrowUpRight, Eye, Save } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { longDate } from "#domain/dates.ts";
import { formLimits } from "#domain/forms/form-limits.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { type PageWords, pageTextLimits, pageTextWords } from "#domain/pages/page-text.ts";
import { PageTextInput } from "#domain/pages/page-text-input.ts";
import { changePage, originalText, readPageText } from "#domain/pages/page-texts.server.ts";
import { previewContent } from "#domain/posts/posts.server.ts";
import { statusOf } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import type { Route } from "./+types/page-text-page.ts";

/** A page's text; with `?original` the form holds what the program brings, and nothing is changed yet. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { title, lead, text, ...page } = await readPageText(site, context.get(viewerContext), params.path);
  const isOriginal = url.searchParams.has("original");
  return { ...page, name: title, isOriginal, typed: isOriginal ? originalText(site, params.path) : { title, lead, text } };
}

type Answer = {
  errors: Partial<Record<keyof PageWords | "form", string>>;
  typed: PageWords;
  /** Which text the next save would replace. */
  version: number;
  preview?: string;
};

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request, formLimits.text);
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const sent = sentIn(form);
  try {
    if (form.get("do") === "preview") return await preview(site, viewer, sent);
    return await save(site, viewer, params.path, sent);
  } catch (error) {
    if (error instanceof Response) throw error;
    const refusal = refusalOf(error);
    const version = refusal.code === "conflict" ? (await readPageText(site, viewer, params.path)).version : sent.version;
    return data<Answer>(
      { ...sent, version, errors: { [refusal.field === "content" ? "text" : "form"]: refusal.message } },
      { status: statusOf(refusal) },
    );
  }
}

type SubmittedPage = Pick<Answer, "typed" | "version">;

function sentIn(form: FormData): SubmittedPage {
  const text = (name: string) => String(form.get(name) ?? "");
  return { typed: { title: text("title"), lead: text("lead"), text: text("text") }, version: Number(text("version")) };
}

async function preview(site: Site, viewer: Viewer, sent: SubmittedPage) {
  return data<Answer>({ ...sent, errors: {}, preview: (await previewContent(site, viewer, sent.typed.text)).html });
}

async function save(site: Site, viewer: Viewer, path: string, sent: SubmittedPage) {
  const input = PageTextInput.safeParse(sent.typed);
  if (!input.success) {
    return data<Answer>({ ...sent, errors: problemsOf(input.error.issues) }, { status: 422 });
  }
  await changePage(site, viewer, path, input.data, sent.version);
  return redirectWithToast(`/admin/settings/pages/${path}`, { tone: "success", text: pageTextWords.saved });
}

/** Without a connection the form stays as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = sentIn(await request.clone().formData());
  return orNetworkFailure(serverAction, { ...sent, errors: { form: connectionLost } } satisfies Answer);
}

export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return formData?.get("do") !== "preview" && defaultShouldRevalidate;
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Edit Page" });

export default function PageTextPage({ loaderData, actionData }: Route.ComponentProps) {
  const { path, name, isOriginal, updatedAt } = loaderData;
  const { typed, version, errors, preview }: Answer = actionData ?? { ...loaderData, errors: {} };
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
      <Form key={`${path} ${loaderData.version} ${isOriginal}`} method="post" className="mt-6 max-w-[820px]" noValidate>
        <input type="hidden" name="version" value={version} />
        <Fields typed={typed} errors={errors} />
        {errors.form && (
          <p role="alert" className="mt-3 text-sm text-danger">
            {errors.form}
          </p>
        )}
        <Buttons />
      </Form>
      {isOriginal && <p className="mt-4 text-base text-ink-2">This is the default text. Save to publish it.</p>}
      {!isOriginal && updatedAt !== null && (
        <p className="mt-4 text-base text-ink-2">
          <Link to="?original" preventScrollReset className="underline decoration-line-strong underline-offset-4 hover:text-ink">
            Review the default text
          </Link>{" "}
          before you decide to use it instead.
        </p>
      )}
      {preview !== undefined && <Preview title={typed.title} lead={typed.lead} html={preview} />}
    </>
  );
}

function Fields({ typed, errors }: Pick<Answer, "typed" | "errors">) {
  return (
    <Panel className="flex flex-col gap-5 p-4 lg:p-5">
      <Field label="Title" error={errors.title}>
        <TextInput name="title" autoComplete="off" maxLength={pageTextLimits.title} defaultValue={typed.title} />
      </Field>
      <Field label="Summary" hint="Shown below the title and in search results." error={errors.lead}>
        <TextArea name="lead" rows={2} maxLength={pageTextLimits.lead} defaultValue={typed.lead} className="min-h-0!" />
      </Field>
      <Field label="Text" hint="Markdown, as in stories. Start a heading with ##." error={errors.text}>
        <TextArea name="text" rows={18} defaultValue={typed.text} className="font-mono text-sm! leading-relaxed!" />
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
      <p className="display text-d1 break-words">{title}</p>
      <p className="mt-4 text-pretty break-words font-reading text-lg leading-[1.6]! text-ink-2">{lead}</p>
      <PostHtml html={html} className={`${pageLook} mt-8`} />
    </section>
  );
}

import { useEffect } from "react";
import { createContext, data, redirect } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { readTexts } from "#app/forms/refused-form.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { redirectWithToast, type Toast } from "#app/shell/flash.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { loginPath } from "#app/shell/refusals.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { avatarMegabytes } from "#domain/files/avatars.server.ts";
import { readUploadForm, uploadOf } from "#domain/forms/read-form.server.ts";
import { problemsOf } from "#domain/normalize-input.ts";
import { requireSameMember } from "#domain/permissions.ts";
import { changedFields, profileTexts } from "#domain/profiles/profile.ts";
import { ProfileInput } from "#domain/profiles/profile-input.ts";
import { readProfileForEditing } from "#domain/profiles/profile-reads.server.ts";
import { type ProfileChanged, updateProfile } from "#domain/profiles/profiles.server.ts";
import { detailsOf, isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import type { Route } from "./+types/edit-profile-page.ts";
import { EditProfileForm } from "./edit-profile-form.tsx";
import { type EditRefusal, type ProfileFormValues, profileFields } from "./edit-refusal.ts";
import { recordFailedLoad, recordFailedLoads } from "./failed-loads.ts";

/** Set when the session ended before the form was sent: the page must still show what was typed. */
const keepsForm = createContext(false);

export async function loader({ url, context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const picture = { megabytes: avatarMegabytes(site) };
  if (!viewer && !context.get(keepsForm)) throw redirect(loginPath(url.pathname));
  try {
    return data({ editing: viewer && (await readProfileForEditing(site, viewer)), picture, failed: false });
  } catch (err) {
    if (viewer?.suspendedUntil && isRefusal(err)) return redirectWithToast("/profile", { tone: "error", text: err.message });
    site.log.error({ err, userId: viewer?.id }, "profile not loaded");
    return data({ editing: null, picture, failed: true }, { status: 500 });
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  let values: ProfileFormValues | null = null;
  let shown: EditRefusal["shown"];
  try {
    const form = await readUploadForm(request);
    values = readTexts(form, profileFields);
    shown = readShown(form);
    if (!viewer) {
      context.set(keepsForm, true);
      return data<EditRefusal>({ message: profileTexts.noAccount, errors: {}, values, shown, signedOut: true }, { status: 401 });
    }
    requireSameMember(viewer, shown?.id);
    const parsed = ProfileInput.safeParse(values);
    if (!parsed.success) return invalid({ values, shown }, parsed.error.issues);
    const upload = await uploadOf(form, "profileImage");
    const { pictureFailed } = await updateProfile(
      site,
      viewer,
      parsed.data,
      upload ?? (form.get("removePicture") === "yes" ? "remove" : "keep"),
      shown,
    );
    const updated: Toast = { tone: "success", text: profileTexts.updated };
    return redirectWithToast("/profile", pictureFailed ? [{ tone: "error", text: profileTexts.pictureFailed }, updated] : updated);
  } catch (error) {
    return refused(site, error, { values, shown });
  }
}

const maxShownLength = 20_000;

/** Undefined from a page of an older version. */
function readShown(form: FormData): EditRefusal["shown"] {
  const shown = form.get("shown");
  if (typeof shown !== "string" || shown.length > maxShownLength) return undefined;
  try {
    const texts = JSON.parse(shown) as Record<string, unknown> | null;
    return Object.fromEntries(
      [...profileFields, "id"].flatMap((name) => (typeof texts?.[name] === "string" ? [[name, texts?.[name]]] : [])),
    );
  } catch {
    return undefined;
  }
}

type SentForm = Pick<EditRefusal, "values" | "shown">;

function invalid(sent: SentForm, issues: { path: PropertyKey[]; message: string }[]) {
  const message = profileTexts.failed(issues[0]?.message);
  return data<EditRefusal>({ message, errors: problemsOf(issues), ...sent }, { status: 422 });
}

function refused(site: Site, error: unknown, sent: SentForm) {
  if (!isRefusal(error)) {
    site.log.error({ err: error }, "profile not saved");
    return data<EditRefusal>({ message: profileTexts.failed(), errors: {}, ...sent }, { status: 500 });
  }
  const message = profileTexts.failed(error.message);
  const changed = detailsOf<ProfileChanged>(error, "profile-changed");
  const errors = error.field ? { [error.field]: error.message } : {};
  return data<EditRefusal>({ message, errors, ...sent, ...(changed && describeConflict(changed, sent)) }, { status: statusOf(error) });
}

/** Keeps what was typed; the other fields show the current texts. */
function describeConflict({ names, present }: ProfileChanged, { values, shown = {} }: SentForm): Omit<EditRefusal, "message"> {
  const errors = names.map((name) => {
    const change = present[name] === "" ? "emptied elsewhere" : `changed elsewhere to “${present[name]}”`;
    return [name, `It was ${change}. Save again to replace it with yours.`];
  });
  const typed = changedFields(shown, values ?? {}).map((name) => [name, values?.[name]]);
  return { errors: Object.fromEntries(errors), values: { ...present, ...Object.fromEntries(typed) }, shown: { ...shown, ...present } };
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const lost: EditRefusal = { message: profileTexts.failed("the connection was lost"), errors: {}, values: null };
  return catchRequestFailure(serverAction, lost);
}

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [recordFailedLoads];

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Edit Profile" });

export default function EditProfilePage({ loaderData, actionData }: Route.ComponentProps) {
  const { editing, picture, failed } = loaderData;
  useEffect(() => {
    if (!failed) return;
    recordFailedLoad("own");
    showToast({ tone: "error", text: profileTexts.notLoaded });
  }, [failed]);
  useEffect(() => {
    if (actionData) showToast({ tone: "error", text: actionData.message });
  }, [actionData]);
  if (!editing && !actionData?.values) return <NotLoaded />;
  return <EditProfileForm editing={editing} megabytes={picture.megabytes} refusal={actionData} />;
}

function NotLoaded() {
  return (
    <EmptyState art="spill" heading="h1" title={profileTexts.notLoaded} text="Your profile is safe. Please try again in a moment.">
      <ButtonLink to="/edit-profile" reloadDocument variant="primary">
        Try Again
      </ButtonLink>
      <ButtonLink to="/profile">Back to Profile</ButtonLink>
    </EmptyState>
  );
}

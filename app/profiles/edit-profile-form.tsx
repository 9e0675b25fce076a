import { type ComponentProps, type ReactNode, useState } from "react";
import { Form, useNavigation } from "react-router";
import { SettingsLayout } from "#app/accounts/settings-layout.tsx";
import { FormAlert } from "#app/accounts/settings-section.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { isChanged, LeaveGuard } from "#app/ui/dialogs/leave-guard.tsx";
import { Field, TextArea, TextInput } from "#app/ui/field.tsx";
import { GitHubIcon, Globe, Info, LinkedInIcon, MapPin, TwitterIcon } from "#app/ui/icons.tsx";
import { profileLimits, profileTexts } from "#domain/profiles/profile.ts";
import type { EditableProfile } from "#domain/profiles/profile-reads.server.ts";
import { AvatarField } from "./avatar-field.tsx";
import type { EditRefusal, ProfileFormValues } from "./edit-refusal.ts";

type EditProfileFormProps = {
  /** Null when the session has ended. */
  editing: EditableProfile | null;
  megabytes: number;
  refusal: EditRefusal | undefined;
};

export function EditProfileForm({ editing, megabytes, refusal }: EditProfileFormProps) {
  const [dirty, setDirty] = useState(false);
  const [pictureChanged, setPictureChanged] = useState(false);
  // Later loads may have changes from elsewhere.
  const [opened] = useState(editing);
  const shown = refusal?.shown ?? opened;
  const saving = useNavigation().formMethod === "POST";
  const unsaved = dirty || pictureChanged || Boolean(refusal?.values);
  const values: Partial<ProfileFormValues> = refusal?.values ?? editing ?? {};
  const errors = refusal?.errors ?? {};
  const text = (name: keyof ProfileFormValues, label: ReactNode, input: ComponentProps<typeof TextInput>) => (
    <Field label={label} id={name} error={errors[name]}>
      <TextInput key={shown?.[name]} name={name} type="text" defaultValue={values[name]} maxLength={profileLimits[name]} {...input} />
    </Field>
  );
  return (
    <Form method="post" encType="multipart/form-data" noValidate onInput={(event) => setDirty(isChanged(event))}>
      <input type="hidden" name="shown" value={JSON.stringify(shown)} />
      <SettingsLayout
        title="Edit Profile"
        lead={<Subtitle unsaved={unsaved} />}
        back={{ to: "/profile", label: "Profile" }}
        actions={
          <div data-buttons-on-top>
            <Buttons saving={saving} className="flex gap-2 max-sm:hidden" />
          </div>
        }
      >
        {refusal && (
          <FormAlert className="mb-7">
            {refusal.message}
            {refusal.signedOut && (
              <>
                . Your session has ended. Please{" "}
                <a href="/login" target="_blank" className="font-medium underline underline-offset-4" rel="noopener">
                  sign in again in a new tab
                </a>
                , then save. What you typed stays here.
              </>
            )}
          </FormAlert>
        )}

        <Section legend="Profile Picture" text="Shown on your stories and messages.">
          <AvatarField profile={editing} megabytes={megabytes} error={errors.profileImage} onChange={setPictureChanged} />
        </Section>
        <Section legend="Basic Information" text="What readers see at the end of a story.">
          <div className="grid gap-5 sm:grid-cols-2">
            {text("userName", displayNameLabel, { required: true, autoComplete: "nickname", dir: "auto" })}
            {text("location", "Location", { leading: MapPin, autoComplete: "off" })}
            <Field label="Bio" id="bio" error={errors.bio} className="sm:col-span-2">
              <TextArea key={shown?.bio} name="bio" rows={4} defaultValue={values.bio} maxLength={profileLimits.bio} />
            </Field>
          </div>
        </Section>
        <Section legend="Social Links" text="Use a handle or a full link.">
          <div className="grid gap-5 sm:grid-cols-2">
            {text("website", "Website", { type: "url", leading: Globe, placeholder: "https://" })}
            {text("twitter", "Twitter", { leading: TwitterIcon, placeholder: "@username" })}
            {text("github", "GitHub", { leading: GitHubIcon, placeholder: "username" })}
            {text("linkedIn", "LinkedIn", { leading: LinkedInIcon, placeholder: "username" })}
          </div>
        </Section>
        {editing && (
          <Section legend="Account Information" text="Used to sign in.">
            <div className="grid gap-5 sm:grid-cols-2">
              <Field label="Full Name" id="full-name">
                <TextInput readOnly value={editing.accountName} />
              </Field>
              <Field label="Email" id="email">
                <TextInput readOnly value={editing.email} />
              </Field>
            </div>
            <p className="mt-4 flex items-center gap-2 text-sm text-ink-2">
              <Info aria-hidden className="size-4 shrink-0" />
              Account information cannot be changed from this page.
            </p>
          </Section>
        )}
        <Buttons saving={saving} className="flex gap-2 pt-4 *:flex-1 sm:hidden" />
      </SettingsLayout>
      <LeaveGuard unsaved={unsaved && !saving} text="Your profile changes aren’t saved yet." />
    </Form>
  );
}

function Subtitle({ unsaved }: { unsaved: boolean }) {
  return (
    <p role="status" className={unsaved ? "flex items-center gap-2 text-warning" : undefined}>
      {unsaved && <span aria-hidden className="size-2 shrink-0 rounded-full bg-current" />}
      {unsaved ? profileTexts.unsaved : "How others see you"}
    </p>
  );
}

function Buttons({ saving, className }: { saving: boolean; className: string }) {
  return (
    <div className={className}>
      <ButtonLink to="/profile" variant="ghost">
        Cancel
      </ButtonLink>
      <Button type="submit" variant="primary" busy={saving} busyLabel="Saving...">
        Save Changes
      </Button>
    </div>
  );
}

function Section({ legend, text, children }: { legend: string; text: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-x-12 gap-y-5 border-t border-line py-9 lg:grid-cols-[260px_minmax(0,1fr)]">
      <div>
        <legend className="display float-left text-t2">{legend}</legend>
        <p className="clear-left pt-1.5 text-base text-ink-2">{text}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </fieldset>
  );
}

const displayNameLabel = (
  <>
    Display Name
    <span aria-hidden className="text-accent-ink">
      {" "}
      *
    </span>
  </>
);

import { z } from "zod";
import { SignUpInput } from "#domain/accounts/account-input.ts";
import { SettingsInput } from "#domain/settings/settings-input.ts";

const { siteName, siteDescription, landingFigures, landingIntro, landingCommunity } = SettingsInput.shape;

/** Parsed here because the form library would drop an empty field, which is a valid value. */
function settingText(setting: z.ZodType<string>) {
  return z
    .string()
    .optional()
    .transform((text = "", { addIssue }) => {
      const result = setting.safeParse(text);
      if (result.success) return result.data;
      addIssue(result.error.issues[0]?.message ?? "");
      return z.NEVER;
    });
}

export const SetupInput = SignUpInput.extend({
  siteName: settingText(siteName),
  siteDescription: settingText(siteDescription),
  landingFigures,
  landingIntro: settingText(landingIntro),
  landingCommunity: settingText(landingCommunity),
  allowRegistration: z.boolean().default(false),
});
export type SetupInput = z.output<typeof SetupInput>;

export const SetupEmailInput = SignUpInput.pick({ email: true });

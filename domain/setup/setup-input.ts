import { z } from "zod";
import { SignUpInput } from "#domain/accounts/account-input.ts";
import { SettingsInput } from "#domain/settings/settings-input.ts";

const { siteName, siteDescription, landingFigures, landingIntro, landingCommunity } = SettingsInput.shape;

/** Form libraries leave out what is empty. */
const text = z
  .string()
  .optional()
  .transform((given) => given ?? "");

export const SetupInput = SignUpInput.extend({
  siteName: text.pipe(siteName),
  siteDescription: text.pipe(siteDescription),
  landingFigures,
  landingIntro: text.pipe(landingIntro),
  landingCommunity: text.pipe(landingCommunity),
  allowRegistration: z.boolean().default(false),
});
export type SetupInput = z.output<typeof SetupInput>;

export const SetupEmailInput = SignUpInput.pick({ email: true });

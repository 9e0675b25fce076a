import { z } from "zod";
import { SignUpInput } from "#domain/accounts/account-input.ts";
import { SettingsInput } from "#domain/settings/settings-input.ts";

export const SetupInput = SignUpInput.extend({
  ...SettingsInput.pick({ siteName: true, siteDescription: true, landingFigures: true, landingIntro: true, landingCommunity: true }).shape,
  /** A checkbox, which is sent only when it is checked. */
  allowRegistration: z
    .string()
    .optional()
    .transform((typed) => typed === "on"),
});
export type SetupInput = z.output<typeof SetupInput>;

export const SetupEmailInput = SignUpInput.pick({ email: true });

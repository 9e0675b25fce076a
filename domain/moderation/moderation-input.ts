import { z } from "zod";
import { plainLineBreaks } from "../normalize-input.ts";
import { answerMax, appealMax, maxSuspensionDays, moderationWords, reasonMax } from "./moderation-action.ts";

const words = (max: number, tooLong: string) =>
  z
    .string()
    .transform((text) => plainLineBreaks(text).trim())
    .pipe(z.string().max(max, tooLong));

/** Not for the browser bundle: it brings Zod. */
export const Reason = words(reasonMax, moderationWords.reasonTooLong).pipe(z.string().min(1, moderationWords.reasonRequired));
export const AppealText = words(appealMax, moderationWords.appealTooLong).pipe(z.string().min(1, moderationWords.appealRequired));
export const Message = words(answerMax, moderationWords.answerTooLong);
export const Answer = Message.pipe(z.string().min(1, moderationWords.answerRequired));
export const Days = z.coerce
  .number({ error: moderationWords.daysWrong })
  .int(moderationWords.daysWrong)
  .min(1, moderationWords.daysWrong)
  .max(maxSuspensionDays, moderationWords.daysWrong);

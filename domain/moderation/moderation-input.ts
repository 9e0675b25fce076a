import { z } from "zod";
import { plainLineBreaks } from "../normalize-input.ts";
import { answerMaxLength, appealMaxLength, maxSuspensionDays, moderationWords, reasonMaxLength } from "./moderation-action.ts";

const words = (max: number, tooLong: string) =>
  z
    .string()
    .transform((text) => plainLineBreaks(text).trim())
    .pipe(z.string().max(max, tooLong));

export const Reason = words(reasonMaxLength, moderationWords.reasonTooLong).pipe(z.string().min(1, moderationWords.reasonRequired));
export const AppealText = words(appealMaxLength, moderationWords.appealTooLong).pipe(z.string().min(1, moderationWords.appealRequired));
export const Message = words(answerMaxLength, moderationWords.answerTooLong);
export const Answer = Message.pipe(z.string().min(1, moderationWords.answerRequired));
export const Days = z.coerce
  .number({ error: moderationWords.daysWrong })
  .int(moderationWords.daysWrong)
  .min(1, moderationWords.daysWrong)
  .max(maxSuspensionDays, moderationWords.daysWrong);

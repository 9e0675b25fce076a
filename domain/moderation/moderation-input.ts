import { z } from "zod";
import { normalizeLineBreaks } from "../normalize-input.ts";
import { actionTexts, answerMaxLength, appealMaxLength, maxSuspensionDays, reasonMaxLength } from "./moderation-action.ts";

const words = (max: number, tooLong: string) =>
  z
    .string()
    .transform((text) => normalizeLineBreaks(text).trim())
    .pipe(z.string().max(max, tooLong));

export const Reason = words(reasonMaxLength, actionTexts.reasonTooLong).pipe(z.string().min(1, actionTexts.reasonRequired));
export const AppealText = words(appealMaxLength, actionTexts.appealTooLong).pipe(z.string().min(1, actionTexts.appealRequired));
export const Message = words(answerMaxLength, actionTexts.answerTooLong);
export const Answer = Message.pipe(z.string().min(1, actionTexts.answerRequired));
export const Days = z.coerce
  .number({ error: actionTexts.daysWrong })
  .int(actionTexts.daysWrong)
  .min(1, actionTexts.daysWrong)
  .max(maxSuspensionDays, actionTexts.daysWrong);

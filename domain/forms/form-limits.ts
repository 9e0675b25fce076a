import { kilobyte, megabyte } from "#platform/bytes.ts";
import { attachmentMaxBytes } from "../messages/message.ts";

/** Limits of posted forms. `server/limits/` counts the same bytes before a form is read. */
export const formLimits = {
  account: { maxBytes: 16 * kilobyte, maxFields: 50 },
  ordinary: { maxBytes: 64 * kilobyte, maxFields: 300 },
  text: { maxBytes: 8 * megabyte, maxFields: 50 },
  /** Above the picture's own limit, so that the text sent with a picture that is too large can be shown again. */
  pictures: { maxBytes: 32 * megabyte, maxFields: 50 },
  attachment: { maxBytes: attachmentMaxBytes + 64 * kilobyte, maxFields: 50 },
  apiUpload: { maxBytes: 5 * megabyte + 128 * kilobyte, maxFields: 300 },
} as const;

import { attachmentMaxBytes } from "../messages/message.ts";

const kilobyte = 1024;
const megabyte = 1024 * 1024;

/** How much the posted forms may hold, by their kind; `server/limits/` counts the same bytes before a form is read. */
export const formLimits = {
  /** Signing in and up, passwords, the account's settings. */
  account: { maxBytes: 16 * kilobyte, maxFields: 50 },
  /** Buttons, dialogs and short texts; a bulk form names each row of its page. */
  ordinary: { maxBytes: 64 * kilobyte, maxFields: 300 },
  /** Long texts without pictures. */
  text: { maxBytes: 8 * megabyte, maxFields: 50 },
  /** Stories, profiles and whatever brings a picture; above the picture's own limit, so that the text beside it is kept. */
  pictures: { maxBytes: 32 * megabyte, maxFields: 50 },
  /** A file of a message: the file itself, and what stands around it. */
  attachment: { maxBytes: attachmentMaxBytes + 64 * kilobyte, maxFields: 50 },
  /** A file of the API, or a piece of one. */
  apiUpload: { maxBytes: 5 * megabyte + 128 * kilobyte, maxFields: 300 },
} as const;

/** Browser-safe. `problem`: the mail server's error in words; `isRetried`: the site will try again. */
export type TestEmailResult = { result: "sent" | "saved" | "failed" | "waiting"; problem: string | null; isRetried: boolean };

export const testEmailTexts = {
  sent: "Sent. If it isn’t in your inbox in a minute, check your spam folder.",
  saved: "Saved as a file under mail/ in the data folder. There’s no mail server yet: set SMTP_URL and restart.",
  waiting: "The mail server hasn’t answered yet. The site keeps trying: check Admin Panel → Emails later.",
};

/** `refused`: permanently; `later`: may be retried; `unknown`: the server may have accepted it. */
export type MailFailure = { kind: "refused" | "later" | "unknown"; deadAddress: boolean; words: string };

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string };

export function explainFailure(error: unknown, began: boolean): MailFailure {
  const { code = "", command = "", responseCode, message } = error as SmtpError;
  const about = { deadAddress: false, words: `${words(code, command, responseCode)} (${oneLine(message)})` };
  if (responseCode === undefined) return { ...about, kind: began ? "unknown" : "later" };
  if (responseCode < 500) return { ...about, kind: "later" };
  if (command === "RCPT TO") return { ...about, kind: "refused", deadAddress: true };
  // The server rejects our sender or login, not this email: retry once it is fixed.
  return { ...about, kind: command === "DATA" ? "refused" : "later" };
}

const maxCharacters = 300;

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, maxCharacters);
}

function words(code: string, command: string, responseCode: number | undefined): string {
  if (code === "EDNS" || code === "ENOTFOUND") return "The mail server’s name can’t be found. Check the host in SMTP_URL.";
  if (code === "ETLS") return "The connection to the mail server can’t be encrypted. Check the port and smtps:// or smtp:// in SMTP_URL.";
  if (code === "EAUTH" || code === "ENOAUTH") return "The mail server refuses the login. Check the user and password in SMTP_URL.";
  if (code === "ETIMEDOUT") return "The mail server doesn’t answer in time. Check the host and port in SMTP_URL, and the firewall.";
  if (code === "ESOCKET" || code === "ECONNECTION" || code === "ECONNREFUSED")
    return "The mail server can’t be reached, or closed the connection. Check the host and port in SMTP_URL.";
  const forNow = responseCode !== undefined && responseCode < 500 ? " for now" : "";
  if (command === "MAIL FROM") return `The mail server refuses the sender${forNow}. Check MAIL_FROM.`;
  if (command === "RCPT TO") return `The mail server refuses this address${forNow}.`;
  if (command === "DATA") return `The mail server refuses this email${forNow}.`;
  return "The email couldn’t be sent.";
}

/** `refused`: permanently; `later`: may be retried; `unknown`: the server may have accepted it. */
export type MailFailure = { kind: "refused" | "later" | "unknown"; isAddressRefused: boolean; text: string };

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string };

export function explainFailure(error: unknown, bodyStarted: boolean): MailFailure {
  const { code = "", command = "", responseCode, message } = error as SmtpError;
  const failure = { isAddressRefused: false, text: `${describe(code, command, responseCode)} (${toOneLine(message)})` };
  if (responseCode === undefined) return { ...failure, kind: bodyStarted ? "unknown" : "later" };
  if (responseCode < 500) return { ...failure, kind: "later" };
  if (command === "RCPT TO") return { ...failure, kind: "refused", isAddressRefused: true };
  // The server rejects our sender or login, not this email: retry once it is fixed.
  return { ...failure, kind: command === "DATA" ? "refused" : "later" };
}

const maxCharacters = 300;

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, maxCharacters);
}

function describe(code: string, command: string, responseCode: number | undefined): string {
  if (code === "EDNS" || code === "ENOTFOUND") return "The mail server’s name can’t be found. Check the host in SMTP_URL.";
  if (code === "ETLS") return "The connection to the mail server can’t be encrypted. Check the port and smtps:// or smtp:// in SMTP_URL.";
  if (code === "EAUTH" || code === "ENOAUTH") return "The mail server refuses the login. Check the user and password in SMTP_URL.";
  if (code === "ETIMEDOUT") return "The mail server doesn’t answer in time. Check the host and port in SMTP_URL, and the firewall.";
  if (code === "ESOCKET" || code === "ECONNECTION" || code === "ECONNREFUSED")
    return "The mail server can’t be reached, or closed the connection. Check the host and port in SMTP_URL.";
  const temporarily = responseCode !== undefined && responseCode < 500 ? " for now" : "";
  if (command === "MAIL FROM") return `The mail server refuses the sender${temporarily}. Check MAIL_FROM.`;
  if (command === "RCPT TO") return `The mail server refuses this address${temporarily}.`;
  if (command === "DATA") return `The mail server refuses this email${temporarily}.`;
  return "The email couldn’t be sent.";
}

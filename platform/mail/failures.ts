/** `refused`: permanently; `later`: may be retried; `unknown`: the server may have accepted it. */
export type MailFailure = { kind: "refused" | "later" | "unknown"; isRecipientRefused: boolean; text: string };

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string };

export function explainFailure(error: unknown, bodyStarted: boolean): MailFailure {
  const { code = "", command = "", responseCode, message } = error as SmtpError;
  const isPolicy = isPolicyRefusal(error as SmtpError);
  const failure = { isRecipientRefused: false, text: `${describe(code, command, responseCode, isPolicy)} (${toOneLine(message)})` };
  if (responseCode === undefined) return { ...failure, kind: bodyStarted ? "unknown" : "later" };
  if (responseCode < 500) return { ...failure, kind: "later" };
  if (command === "RCPT TO" && !isPolicy) return { ...failure, kind: "refused", isRecipientRefused: true };
  // The server rejects our sender, login or relaying, not this email: retry once it is fixed.
  return { ...failure, kind: command === "DATA" ? "refused" : "later" };
}

/** RFC 3463: x.7.x is about security and policy, such as relaying. Servers without such codes name relaying in words, or answer 554. */
function isPolicyRefusal({ response = "", responseCode }: SmtpError): boolean {
  const [, subject] = /^5\d\d[ -]5\.(\d{1,3})\./.exec(response) ?? [];
  if (subject !== undefined) return subject === "7";
  return responseCode === 554 || /\brelay(?:ing)? (?:access )?(?:is )?(?:denied|not permitted|not allowed|prohibited)/i.test(response);
}

const maxCharacters = 300;

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, maxCharacters);
}

function describe(code: string, command: string, responseCode: number | undefined, isPolicy: boolean): string {
  if (code === "EDNS" || code === "ENOTFOUND") return "The mail server’s name couldn’t be found. Check the host in SMTP_URL.";
  if (code === "ETLS")
    return "The connection to the mail server couldn’t be encrypted. Check the port and smtps:// or smtp:// in SMTP_URL.";
  if (code === "EAUTH" || code === "ENOAUTH") return "The mail server rejected the login. Check the user and password in SMTP_URL.";
  if (code === "ETIMEDOUT") return "The mail server didn’t respond in time. Check the host and port in SMTP_URL, and the firewall.";
  if (code === "ESOCKET" || code === "ECONNECTION" || code === "ECONNREFUSED")
    return "The mail server couldn’t be reached, or closed the connection. Check the host and port in SMTP_URL.";
  const temporarily = responseCode !== undefined && responseCode < 500 ? " for now" : "";
  if (command === "MAIL FROM") return `The mail server rejected the sender${temporarily}. Check MAIL_FROM.`;
  if (command === "RCPT TO" && isPolicy)
    return "The mail server’s rules don’t allow an email to this address for now. Check MAIL_FROM and the user in SMTP_URL.";
  if (command === "RCPT TO") return `The mail server rejected this address${temporarily}.`;
  if (command === "DATA") return `The mail server rejected this email${temporarily}.`;
  return "The email couldn’t be sent.";
}

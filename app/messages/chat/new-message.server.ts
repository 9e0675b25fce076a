import type { NewMessage } from "#domain/messages/message.ts";

export function newMessage(form: FormData, to: string): NewMessage {
  const field = (name: string) => form.get(name)?.toString();
  return { from: field("from"), to, text: field("text") ?? "", sendId: field("sendId") ?? "" };
}

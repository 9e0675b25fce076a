import { useState } from "react";
import { showToast } from "#app/shell/toasts.tsx";
import { attachmentMaxBytes, mayBeAttached, messageTexts } from "#domain/messages/message.ts";

/** `failed`: the reason; `retry`: set if another try may succeed. */
export type Upload = { sendId: string; name: string; size: number; sent: number; failed?: string; retry?: () => void; cancel(): void };

export function useUploads(viewerId: string, partnerId: string, done: () => void): { uploads: Upload[]; start(file: File): void } {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const remove = (sendId: string) => setUploads((all) => all.filter((each) => each.sendId !== sendId));

  const change = (sendId: string, part: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.sendId === sendId ? { ...each, ...part } : each)));
  const begin = (file: File, sendId: string, cancel: () => void) =>
    setUploads((all) => [...all.filter((each) => each.sendId !== sendId), { sendId, name: file.name, size: file.size, sent: 0, cancel }]);
  function fail(sendId: string, text: string, retry?: () => void) {
    change(sendId, { failed: text, ...(retry && { retry }) });
    showToast({ tone: "error", text });
  }

  function send(file: File, sendId: string) {
    const request = new XMLHttpRequest();
    begin(file, sendId, () => {
      request.abort();
      remove(sendId);
    });
    const retry = () => send(file, sendId);
    request.upload.onprogress = ({ loaded, total }) => change(sendId, { sent: total > 0 ? loaded / total : 0 });
    request.onerror = () => fail(sendId, messageTexts.uploadFailed, retry);
    request.onload = () => {
      if (request.status !== 200) return fail(sendId, reasonOf(request), finalStatuses.includes(request.status) ? undefined : retry);
      remove(sendId);
      done();
      showToast({ tone: "success", text: messageTexts.fileSent });
    };
    const form = new FormData();
    form.set("from", viewerId);
    form.set("sendId", sendId);
    form.set("file", file);
    request.open("POST", `/messages/${partnerId}/attach`);
    request.send(form);
  }

  function refuse(file: File) {
    const sendId = crypto.randomUUID();
    begin(file, sendId, () => remove(sendId));
    fail(sendId, messageTexts.wrongType);
  }

  return {
    uploads,
    start(file) {
      if (file.size > attachmentMaxBytes) showToast({ tone: "error", text: messageTexts.fileTooLarge });
      else if (file.size === 0) showToast({ tone: "error", text: messageTexts.emptyFile });
      else if (!mayBeAttached(file)) refuse(file);
      else send(file, crypto.randomUUID());
    },
  };
}

/** Statuses that a retry would repeat. */
const finalStatuses = [413, 422];

/** A refusal's message; otherwise the specification's text. */
function reasonOf({ status, responseText }: XMLHttpRequest): string {
  if (![403, 409, 413, 422, 429].includes(status)) return messageTexts.uploadFailed;
  try {
    return String(JSON.parse(responseText).message) || messageTexts.uploadFailed;
  } catch {
    return messageTexts.uploadFailed;
  }
}

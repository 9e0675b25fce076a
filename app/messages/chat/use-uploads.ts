import { useState } from "react";
import { showToast } from "#app/shell/toasts.tsx";
import { attachmentMaxBytes, messageTexts } from "#domain/messages/message.ts";

/** A file on its way; `failed` says why it did not arrive. */
export type Upload = { sendId: string; name: string; size: number; sent: number; failed?: string; retry(): void; cancel(): void };

export function useUploads(partnerId: string, done: () => void): { uploads: Upload[]; start(file: File): void } {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const remove = (sendId: string) => setUploads((all) => all.filter((each) => each.sendId !== sendId));

  function send(file: File, sendId: string) {
    const request = new XMLHttpRequest();
    const change = (part: Partial<Upload>) =>
      setUploads((all) => all.map((each) => (each.sendId === sendId ? { ...each, ...part } : each)));
    const fail = (text: string) => {
      change({ failed: text });
      showToast({ tone: "error", text });
    };
    const cancel = () => {
      request.abort();
      remove(sendId);
    };
    const retry = () => send(file, sendId);
    const begun: Upload = { sendId, name: file.name, size: file.size, sent: 0, cancel, retry };
    setUploads((all) => [...all.filter((each) => each.sendId !== sendId), begun]);
    request.upload.onprogress = ({ loaded, total }) => change({ sent: total > 0 ? loaded / total : 0 });
    request.onerror = () => fail(messageTexts.uploadFailed);
    request.onload = () => {
      if (request.status !== 200) return fail(reasonOf(request));
      remove(sendId);
      done();
      showToast({ tone: "success", text: messageTexts.fileSent });
    };
    const form = new FormData();
    form.set("sendId", sendId);
    form.set("file", file);
    request.open("POST", `/messages/${partnerId}/attach`);
    request.send(form);
  }

  return {
    uploads,
    start(file) {
      if (file.size > attachmentMaxBytes) showToast({ tone: "error", text: messageTexts.fileTooLarge });
      else if (file.size === 0) showToast({ tone: "error", text: messageTexts.emptyFile });
      else send(file, crypto.randomUUID());
    },
  };
}

/** A refusal's own words; whatever else is wrong, the specification's. */
function reasonOf({ status, responseText }: XMLHttpRequest): string {
  if (![403, 409, 413, 422, 429].includes(status)) return messageTexts.uploadFailed;
  try {
    return String(JSON.parse(responseText).message) || messageTexts.uploadFailed;
  } catch {
    return messageTexts.uploadFailed;
  }
}

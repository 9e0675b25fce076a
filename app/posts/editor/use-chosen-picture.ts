import { type RefObject, useEffect, useRef, useState } from "react";
import { sendPictureFile } from "#app/drafts/send-picture.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { pictureMaxBytes, pictureTexts, pictureTypes, pictureUrl } from "#domain/files/picture.ts";
import { cropPicture } from "./crop-picture.ts";

/** `own`: chosen on this page, rather than what the post or draft has already. */
export type ChosenPicture = { url: string; name: string; cropped: boolean; own: boolean };

type Field = {
  input: RefObject<HTMLInputElement | null>;
  chosen: ChosenPicture | undefined;
  /** How much of it is sent, 0 to 1; undefined while nothing is being sent. */
  part: number | undefined;
  busy: boolean;
  refusal: string | undefined;
  choose(file: File | undefined): Promise<void>;
  remove(): void;
};

export function useChosenPicture(kept: string | null, onChange: (picture: { chosen: boolean; fileId: string | null }) => void): Field {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<ChosenPicture | undefined>(kept ? keptPicture(kept) : undefined);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [part, setPart] = useState<number>();
  const latest = useRef(0);
  useEffect(() => () => void (chosen?.url.startsWith("blob:") && URL.revokeObjectURL(chosen.url)), [chosen]);

  function put(file: File | undefined, cropped = false) {
    const files = new DataTransfer();
    if (file) files.items.add(file);
    if (input.current) input.current.files = files.files;
    setChosen(file && { url: URL.createObjectURL(file), name: file.name, cropped, own: true });
    onChange({ chosen: Boolean(file), fileId: null });
    latest.current++;
    setBusy(false);
    if (file) void send(file, latest.current);
  }

  async function send(file: File, turn: number) {
    setPart(0);
    const answer = await sendPictureFile("featured", file, { progress: (sent) => turn === latest.current && setPart(sent) });
    if (turn !== latest.current) return;
    setPart(undefined);
    if (answer.error === null) return onChange({ chosen: true, fileId: answer.id });
    const isRefused = answer.error === pictureTexts.wrongType || answer.error === pictureTexts.tooLarge;
    if (!isRefused) showToast({ tone: "error", text: pictureTexts.notUploaded });
    if (!Object.values<string>(pictureTexts).includes(answer.error)) return; // It goes with the form.
    put(undefined);
    setRefusal(answer.error);
  }

  async function choose(file: File | undefined) {
    if (!file) return;
    const refused = refusalOf(file);
    setRefusal(refused);
    if (refused) return put(undefined);
    const turn = ++latest.current;
    setBusy(true);
    const cropped = await cropPicture(file).catch(() => undefined);
    // Another one was chosen meanwhile, or none.
    if (turn !== latest.current) return;
    put(cropped ?? file, cropped !== undefined);
    if (cropped) showToast({ tone: "success", text: pictureTexts.processed });
    else showToast({ tone: "error", text: pictureTexts.failed });
  }

  function remove() {
    put(undefined);
    setRefusal(undefined);
    showToast({ tone: "success", text: pictureTexts.removed });
    input.current?.focus();
  }

  return { input, chosen, part, busy, refusal, choose, remove };
}

function refusalOf(file: File): string | undefined {
  if (!pictureTypes.includes(file.type)) return pictureTexts.wrongType;
  return file.size > pictureMaxBytes ? pictureTexts.tooLarge : undefined;
}

function keptPicture(fileId: string): ChosenPicture {
  return { url: pictureUrl(fileId, 640), name: "", cropped: true, own: false };
}

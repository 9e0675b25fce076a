import type { MouseEvent } from "react";
import { saveFile } from "#app/export/save-file.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Download, FileArchive, FileText, Paperclip } from "#app/ui/icons.tsx";
import { pictureUrl } from "#domain/files/picture.ts";
import { sizeText } from "#domain/format.ts";
import { type Attachment, attachmentUrl, messageTexts } from "#domain/messages/message.ts";
import { Marked } from "./message-text.tsx";

type AttachmentCardProps = { file: Attachment; own: boolean; term: string; hasText: boolean };

export function AttachmentCard(props: AttachmentCardProps) {
  return props.file.ratio === null ? <FileCard {...props} /> : <PictureCard {...props} />;
}

function PictureCard({ file, term, hasText }: AttachmentCardProps) {
  const ratio = Math.min(3, Math.max(0.6, file.ratio ?? 1));
  return (
    <>
      <span className="relative -mx-2.5 -mt-1 mb-1.5 block">
        <a
          href={attachmentUrl(file)}
          target="_blank"
          rel="noopener"
          className="block overflow-hidden rounded-lg"
          aria-label={`Open ${file.name}`}
        >
          <img
            src={pictureUrl(file.id, 640, "webp")}
            alt={file.name}
            width={280}
            height={Math.round(280 / ratio)}
            loading="lazy"
            decoding="async"
            className="block w-[280px] min-w-full max-w-full bg-sunken object-cover"
            style={{ aspectRatio: ratio }}
          />
        </a>
        <DownloadLink file={file} className="absolute right-2 bottom-2 bg-black/55 text-white hover:bg-black/70" />
      </span>
      <span className={classNames("max-w-full min-w-0 items-center gap-1 font-medium", hasText ? "flex" : "inline-flex")}>
        <Paperclip aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">
          <Marked text={file.name} term={term} />
        </span>
      </span>
    </>
  );
}

const archives = ["application/zip", "application/x-rar-compressed"];

function FileCard({ file, own, term }: AttachmentCardProps) {
  const IconComponent = archives.includes(file.type) ? FileArchive : FileText;
  return (
    <span className="flex items-center gap-3 pt-0.5">
      <span
        className={classNames("inline-flex size-10 shrink-0 items-center justify-center rounded-md", own ? "bg-white/14" : "bg-current/10")}
      >
        <IconComponent aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1 font-medium">
          <Paperclip aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">
            <Marked text={file.name} term={term} />
          </span>
        </span>
        <span className={classNames("num text-xs", own ? "text-chat-out-meta" : "text-chat-in-meta")}>{sizeText(file.size)}</span>
      </span>
      <DownloadLink file={file} className={own ? "ml-1 hover:bg-white/14" : "ml-1 hover:bg-current/10"} />
    </span>
  );
}

function DownloadLink({ file, className }: { file: Attachment; className: string }) {
  return (
    <a
      href={attachmentUrl(file, true)}
      download={file.name}
      aria-label={`Download ${file.name}`}
      title="Download"
      onClick={(event) => void save(event, file)}
      className={classNames("inline-flex size-9 shrink-0 items-center justify-center rounded-md max-lg:size-11", className)}
    >
      <Download aria-hidden className="size-[18px]" />
    </a>
  );
}

/** Without JavaScript it downloads without a toast. */
async function save(event: MouseEvent, file: Attachment): Promise<void> {
  event.preventDefault();
  try {
    const response = await fetch(attachmentUrl(file, true));
    if (!response.ok) throw new Error(String(response.status));
    saveFile(await response.blob(), response, file.name);
    showToast({ tone: "success", text: messageTexts.downloaded(file.name) });
  } catch {
    showToast({ tone: "error", text: messageTexts.downloadFailed });
  }
}

import { ListTable } from "#app/admin/table/list-table.tsx";
import { IconLink } from "#app/ui/button.tsx";
import { Eye } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { sizeText } from "#domain/format.ts";
import type { AdminFile } from "#domain/moderation/files/admin-files.ts";
import { FileUses } from "./file-uses.tsx";

const columns = [
  { label: "File", className: "w-[29%]" },
  { label: "Uploaded by", className: "w-[16%]" },
  { label: "Size", align: "right" as const, className: "w-[9%]" },
  { label: "Shown in", className: "w-[22%]" },
  { label: "Uploaded", className: "w-[18%]" },
];

export function FilesTable({ files }: { files: AdminFile[] }) {
  return (
    <Panel className="mt-4 overflow-hidden">
      <ListTable
        caption="Files"
        columns={columns}
        hasFixedWidths
        rows={files.map((file) => (
          <tr key={file.id} className="border-b border-line last:border-0">
            <td className="py-2.5 pr-3 pl-5">
              <Name file={file} />
            </td>
            <td className="truncate px-3">
              <Sender file={file} />
            </td>
            <td className="num px-3 text-right text-sm whitespace-nowrap">{sizeText(file.size)}</td>
            <td className="px-3 text-sm">
              <FileUses uses={file.uses} />
            </td>
            <td className="num px-3 text-sm text-ink-2">{dateAndTime(file.createdAt)}</td>
            <td className="pr-4 text-right">
              <Details file={file} />
            </td>
          </tr>
        ))}
        items={files.map((file) => (
          <li key={file.id} className="border-b border-line p-4 last:border-0">
            <div className="flex items-start justify-between gap-3">
              <Name file={file} />
              <Details file={file} />
            </div>
            <p className="num mt-1 text-sm text-ink-2">
              <Sender file={file} /> · {sizeText(file.size)} · {dateAndTime(file.createdAt)}
            </p>
            <div className="mt-1 text-sm">
              <FileUses uses={file.uses} />
            </div>
          </li>
        ))}
      />
    </Panel>
  );
}

function Details({ file: { id, name } }: { file: AdminFile }) {
  return (
    <IconLink label={`View details: ${name || "Untitled file"}`} icon={Eye} size="sm" to={`/admin/files/${id}`} className="inline-flex" />
  );
}

function Name({ file: { name, type } }: { file: AdminFile }) {
  return (
    <div className="min-w-0">
      <p className="truncate font-medium" title={name}>
        {name || "Untitled file"}
      </p>
      <p className="truncate font-mono text-sm text-ink-2">{type}</p>
    </div>
  );
}

function Sender({ file: { ownerId, ownerName } }: { file: AdminFile }) {
  if (!ownerId) return "Deleted member";
  return (
    <Link to={`/admin/files?user=${ownerId}`} className="hover:text-accent-ink">
      {ownerName ?? ownerId}
    </Link>
  );
}

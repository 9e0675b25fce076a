import {
  Bold,
  Code,
  Heading1,
  Heading2,
  Heading3,
  Italic,
  Link2,
  List,
  ListOrdered,
  Strikethrough,
  TextQuote,
  Underline,
} from "lucide-react";
import { Toolbar } from "radix-ui";
import type { Icon } from "#app/ui/icon.ts";
import { codeBlock, type Edit, heading, link, prefixLines, type Selection, wrap } from "./markdown-edits.ts";

export type Command = { label: string; icon: Icon; key?: string; edit: (selection: Selection) => Edit };

const groups: Command[][] = [
  [
    { label: "Bold", icon: Bold, key: "b", edit: (s) => wrap(s, "**") },
    { label: "Italic", icon: Italic, key: "i", edit: (s) => wrap(s, "*") },
    { label: "Underline", icon: Underline, key: "u", edit: (s) => wrap(s, "<u>", "</u>") },
    { label: "Strikethrough", icon: Strikethrough, edit: (s) => wrap(s, "~~") },
  ],
  [
    { label: "Heading 1", icon: Heading1, edit: (s) => heading(s, 1) },
    { label: "Heading 2", icon: Heading2, edit: (s) => heading(s, 2) },
    { label: "Heading 3", icon: Heading3, edit: (s) => heading(s, 3) },
  ],
  [
    { label: "Bullet list", icon: List, edit: (s) => prefixLines(s, () => "- ", /^- /) },
    { label: "Numbered list", icon: ListOrdered, edit: (s) => prefixLines(s, (line) => `${line}. `, /^\d+\. /) },
  ],
  [
    { label: "Quote", icon: TextQuote, edit: (s) => prefixLines(s, () => "> ", /^> /) },
    { label: "Code block", icon: Code, edit: codeBlock },
    { label: "Link", icon: Link2, key: "k", edit: link },
  ],
];

/** The command of a keyboard shortcut with Ctrl or Cmd. */
export function commandOfKey(key: string): Command | undefined {
  return groups.flat().find((command) => command.key === key.toLowerCase());
}

export function MarkdownToolbar({ disabled, onCommand }: { disabled: boolean; onCommand: (command: Command) => void }) {
  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="flex h-13 flex-1 items-center gap-0.5 overflow-x-auto border-line px-2 [scrollbar-width:none] max-lg:border-t"
    >
      {groups.map((group, index) => (
        <span key={group[0]?.label} className="flex items-center gap-0.5">
          {index > 0 && <Toolbar.Separator className="mx-1 h-5 w-px shrink-0 bg-line" />}
          {group.map((command) => (
            <ToolButton key={command.label} command={command} disabled={disabled} onCommand={onCommand} />
          ))}
        </span>
      ))}
    </Toolbar.Root>
  );
}

type ToolButtonProps = { command: Command; disabled: boolean; onCommand: (command: Command) => void };

function ToolButton({ command, disabled, onCommand }: ToolButtonProps) {
  const { label, icon: Drawing, key } = command;
  return (
    <Toolbar.Button
      aria-label={label}
      title={key ? `${label} (Ctrl+${key.toUpperCase()})` : label}
      disabled={disabled}
      onClick={() => onCommand(command)}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-hover hover:text-ink disabled:opacity-45 max-lg:size-11"
    >
      <Drawing aria-hidden className="size-[18px]" />
    </Toolbar.Button>
  );
}

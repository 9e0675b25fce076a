import { Popover } from "radix-ui";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconButton } from "#app/ui/button.tsx";
import { Smile } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { emojiGroups } from "./emoji.ts";

const columns = 8;

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };

/** A fixed set of emoji (messaging and administration §2): arrow keys move, Enter inserts, Escape returns to the text. */
export function EmojiPicker({ onPick, onClose }: { onPick(emoji: string): void; onClose(): void }) {
  const [open, setOpen] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  function move(event: KeyboardEvent) {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...(grid.current?.querySelectorAll("button") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton label="Emoji" icon={Smile} disabled={!hydrated} variant={open ? "soft" : "ghost"} className="size-11!" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Emoji"
          onKeyDown={move}
          side="top"
          align="end"
          sideOffset={14}
          collisionPadding={12}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClose();
          }}
          className="z-(--z-menu) w-[340px] max-w-[calc(100vw-24px)] animate-pop overflow-hidden rounded-lg border border-line bg-overlay shadow-lg"
        >
          <div ref={grid} className="max-h-[288px] overflow-y-auto px-2 pb-2">
            {emojiGroups.map(({ name, emoji }) => (
              <fieldset key={name} className="min-w-0">
                <legend className="px-1 pt-2.5 pb-1 text-xs font-medium text-ink-3">{name}</legend>
                <div className="grid grid-cols-8">
                  {emoji.map((each) => (
                    <button
                      key={each}
                      type="button"
                      onClick={() => {
                        setOpen(false);
                        onPick(each);
                      }}
                      className="inline-flex aspect-square w-full items-center justify-center rounded-md font-emoji text-[22px] leading-none hover:bg-hover focus:bg-hover"
                    >
                      {each}
                    </button>
                  ))}
                </div>
              </fieldset>
            ))}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

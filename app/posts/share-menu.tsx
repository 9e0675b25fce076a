import { useRef, useState } from "react";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, type ButtonProps, IconLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Check, FacebookIcon, Link2, LinkedInIcon, Share2, TwitterIcon } from "#app/ui/icons.tsx";
import { Menu, MenuItem, MenuLink, MenuRule } from "#app/ui/menu.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

/** How long Copy Link shows Copied! (specification §9). */
const confirmationMs = 2000;

type Shared = { title: string; pageUrl: string };

function networks({ title, pageUrl }: Shared) {
  const [url, text] = [encodeURIComponent(pageUrl), encodeURIComponent(title)];
  return [
    { label: "Twitter", icon: TwitterIcon, to: `https://twitter.com/intent/tweet?url=${url}&text=${text}` },
    { label: "Facebook", icon: FacebookIcon, to: `https://www.facebook.com/sharer/sharer.php?u=${url}` },
    { label: "LinkedIn", icon: LinkedInIcon, to: `https://www.linkedin.com/sharing/share-offsite/?url=${url}` },
  ];
}

/** Without scripts. */
export function ShareLinks({ post, className }: { post: Pick<Shared, "title"> & { id: string }; className?: string }) {
  const { site } = useRoot();
  const shared = { title: post.title, pageUrl: `${site.url}/post/${post.id}` };
  return (
    <ul className={classNames("flex gap-1", className)}>
      {networks(shared).map(({ label, icon, to }) => (
        <li key={label}>
          <IconLink label={`Share on ${label}`} icon={icon} to={to} target="_blank" rel="noopener" />
        </li>
      ))}
    </ul>
  );
}

export function ShareMenu({
  post,
  variant,
  className,
}: {
  post: { id: string; title: string };
  variant?: ButtonProps["variant"];
  className?: string;
}) {
  const { site } = useRoot();
  const shared = { title: post.title, pageUrl: `${site.url}/post/${post.id}` };
  const native = useHydrated() && typeof navigator.share === "function";
  return (
    <Menu
      className="w-52"
      trigger={
        <Button variant={variant} icon={Share2} className={className}>
          Share
        </Button>
      }
    >
      {networks(shared).map(({ label, icon, to }) => (
        <MenuLink key={label} icon={icon} to={to} target="_blank" rel="noopener">
          {label}
        </MenuLink>
      ))}
      <MenuRule />
      {native && (
        <MenuItem icon={Share2} onSelect={() => void navigator.share({ title: shared.title, url: shared.pageUrl }).catch(() => {})}>
          More…
        </MenuItem>
      )}
      <CopyLink pageUrl={shared.pageUrl} />
    </Menu>
  );
}

function CopyLink({ pageUrl }: { pageUrl: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  async function copy() {
    try {
      await navigator.clipboard.writeText(pageUrl);
    } catch {
      showToast({ tone: "error", text: "Failed to copy link" });
      return;
    }
    showToast({ tone: "success", text: "Link copied to clipboard!" });
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), confirmationMs);
  }
  return (
    <MenuItem
      icon={copied ? Check : Link2}
      onSelect={(event) => {
        event.preventDefault();
        void copy();
      }}
    >
      {copied ? "Copied!" : "Copy Link"}
    </MenuItem>
  );
}

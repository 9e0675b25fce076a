import { useMay } from "#app/admin/shell/use-may.ts";
import { StatusBadge } from "#app/posts/status-badge.tsx";
import { IconButton, IconLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { CircleCheck, CircleX, Ellipsis, Eye, EyeOff, Heart, History, Pencil, Pin, PinOff, Star, StarOff, Trash2 } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Menu, MenuItem, MenuLink, MenuRule } from "#app/ui/menu.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { shortDate } from "#domain/dates.ts";
import { shortCount } from "#domain/format.ts";
import type { AdminPost } from "#domain/moderation/posts/moderation.ts";
import type { PostQuestion } from "./post-dialogs.tsx";

type RowProps = {
  post: AdminPost;
  selected: boolean;
  onSelect: (on: boolean) => void;
  onRun: (action: string) => void;
  onAsk: (kind: PostQuestion["kind"]) => void;
};

export function PostRow({ post, selected, onSelect, onRun, onAsk }: RowProps) {
  const may = useMay();
  return (
    <tr className={classNames("border-b border-line last:border-0", selected && "bg-accent-soft/60")}>
      <td className="pr-3 pl-5">
        <SelectBox {...{ post, selected, onSelect }} />
      </td>
      <td className="px-3 py-2.5">
        <div className="flex items-center gap-4">
          <Picture file={post.featuredImage} sizes="76px" className="w-[76px] shrink-0 rounded-sm" />
          <div className="min-w-0 max-w-[19rem]">
            <div className="flex items-center gap-1.5">
              <Link to={`/post/${post.id}`} className="truncate font-medium hover:text-accent-ink" title={post.title}>
                {post.title}
              </Link>
              <Marks post={post} />
            </div>
            <div className="truncate text-sm text-ink-2">{post.userName}</div>
          </div>
        </div>
      </td>
      <td className="num px-3 text-right">
        {shortCount(post.likesCount)}
        <Adjusted post={post} />
      </td>
      <td className="num px-3 text-right">{shortCount(post.views)}</td>
      <td className="px-3">
        <StatusBadge post={post} />
      </td>
      <td className="num whitespace-nowrap px-3 text-sm text-ink-2">{shortDate(post.date)}</td>
      <td className="pr-4 pl-3">
        <div className="flex justify-end">
          <IconLink label={`View ${post.title}`} icon={Eye} size="sm" to={`/post/${post.id}`} />
          {may("edit a story", post.userId) && (
            <IconLink label={`Edit ${post.title}`} icon={Pencil} size="sm" to={`/edit-post/${post.id}`} />
          )}
          <StatusButton {...{ post, onRun, onAsk }} />
          <PostMenu {...{ post, onRun, onAsk }} />
        </div>
      </td>
    </tr>
  );
}

export function PostItem({ post, selected, onSelect, onRun, onAsk }: RowProps) {
  return (
    <li className={classNames("flex gap-3 border-b border-line p-4 last:border-0", selected && "bg-accent-soft/60")}>
      <span className="pt-0.5">
        <SelectBox {...{ post, selected, onSelect }} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex gap-3">
          <Picture file={post.featuredImage} sizes="80px" className="w-20 shrink-0 self-start rounded-sm" />
          <div className="min-w-0 flex-1">
            <div className="flex items-start gap-1.5">
              <Link to={`/post/${post.id}`} className="text-base leading-5 font-medium [overflow-wrap:anywhere]">
                {post.title}
              </Link>
              <span className="flex pt-0.5">
                <Marks post={post} />
              </span>
            </div>
            <div className="mt-0.5 truncate text-sm text-ink-2">{post.userName}</div>
            <div className="num text-sm text-ink-2">{shortDate(post.date)}</div>
          </div>
        </div>
        <div className="num mt-2.5 flex items-center text-sm text-ink-2">
          <div className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-1">
            <StatusBadge post={post} />
            <span className="inline-flex items-center gap-1">
              <Heart aria-label="Likes" className="size-3.5" />
              {shortCount(post.likesCount)}
              <Adjusted post={post} />
            </span>
            <span className="inline-flex items-center gap-1">
              <Eye aria-label="Views" className="size-3.5" />
              {shortCount(post.views)}
            </span>
          </div>
          <span className="-my-2 -mr-2">
            <PostMenu all {...{ post, onRun, onAsk }} />
          </span>
        </div>
      </div>
    </li>
  );
}

function SelectBox({ post, selected, onSelect }: Pick<RowProps, "post" | "selected" | "onSelect">) {
  return (
    <Checkbox
      label={`Select ${post.title}`}
      name="ids"
      value={post.id}
      form="bulk"
      checked={selected}
      onChange={(event) => onSelect(event.target.checked)}
    />
  );
}

function Marks({ post }: { post: AdminPost }) {
  return (
    <>
      {post.featured && <Star role="img" aria-label="Featured" className="size-4 shrink-0 fill-current text-accent-ink" />}
      {post.pinned && <Pin role="img" aria-label="Pinned" className="size-4 shrink-0 fill-current text-info" />}
    </>
  );
}

function Adjusted({ post }: { post: AdminPost }) {
  if (post.adjustedLikes === 0) return null;
  return <span className="block text-xs whitespace-nowrap text-ink-3">{shortCount(post.adjustedLikes)} adjusted</span>;
}

type MenuProps = Pick<RowProps, "post" | "onRun" | "onAsk"> & { all?: boolean };

/** Without JavaScript a link to the story’s admin page. */
function StatusButton({ post, onRun, onAsk }: MenuProps) {
  const hydrated = useHydrated();
  if (post.isOwnCase) return null;
  const [verb, icon] = post.status === "active" ? (["Unpublish", CircleX] as const) : (["Publish", CircleCheck] as const);
  const label = `${verb} ${post.title}`;
  if (!hydrated) return <IconLink label={label} icon={icon} size="sm" to={`/admin/posts/${post.id}`} />;
  return <IconButton label={label} icon={icon} size="sm" onClick={() => changeStatus({ post, onRun, onAsk })} />;
}

/** Publishing a story that a moderator hid undoes their decision, so it asks first. */
function changeStatus({ post: { status, held }, onRun, onAsk }: MenuProps): void {
  if (status === "active") onAsk("unpublish");
  else if (held) onAsk("release");
  else onRun("publish");
}

function PostMenu({ post, onRun, onAsk, all = false }: MenuProps) {
  const [label, size] = [`More for ${post.title}`, all ? ("md" as const) : ("sm" as const)];
  const may = useMay();
  if (!useHydrated()) return <IconLink label={label} icon={Ellipsis} size={size} to={`/admin/posts/${post.id}`} />;
  return (
    <Menu trigger={<IconButton label={label} icon={Ellipsis} size={size} />} className="w-48">
      {all && (
        <>
          <MenuLink to={`/post/${post.id}`} icon={Eye}>
            View
          </MenuLink>
          {may("edit a story", post.userId) && (
            <MenuLink to={`/edit-post/${post.id}`} icon={Pencil}>
              Edit
            </MenuLink>
          )}
          {!post.isOwnCase && (
            <MenuItem icon={post.status === "active" ? CircleX : CircleCheck} onSelect={() => changeStatus({ post, onRun, onAsk })}>
              {post.status === "active" ? "Unpublish" : "Publish"}
            </MenuItem>
          )}
          <MenuRule />
        </>
      )}
      <MenuItem icon={post.featured ? StarOff : Star} onSelect={() => onRun(post.featured ? "unfeature" : "feature")}>
        {post.featured ? "Unfeature" : "Feature"}
      </MenuItem>
      <MenuItem icon={post.pinned ? PinOff : Pin} onSelect={() => onRun(post.pinned ? "unpin" : "pin")}>
        {post.pinned ? "Unpin" : "Pin"}
      </MenuItem>
      {may("adjust counts") && (
        <>
          <MenuItem icon={Heart} onSelect={() => onAsk("likes")}>
            Adjust Likes
          </MenuItem>
          <MenuItem icon={Eye} onSelect={() => onAsk("views")}>
            Edit Views
          </MenuItem>
        </>
      )}
      <MenuRule />
      <MenuLink to={`/admin/posts/${post.id}`} icon={History}>
        Details
      </MenuLink>
      {!post.held && (
        <MenuItem icon={EyeOff} onSelect={() => onAsk("hold")}>
          Hold
        </MenuItem>
      )}
      {(post.held !== "delete" || may("erase a story")) && (
        <MenuItem danger icon={Trash2} onSelect={() => onAsk(post.held === "delete" ? "erase" : "delete")}>
          {post.held === "delete" ? "Delete permanently" : "Delete"}
        </MenuItem>
      )}
    </Menu>
  );
}

import type { ReactNode } from "react";
import { type Column, ListTable } from "#app/admin/table/list-table.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { IconLink } from "#app/ui/button.tsx";
import { Ban, MessageCircle, ShieldAlert } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { shortDate } from "#domain/dates.ts";
import { fullCount, shortCount } from "#domain/format.ts";
import type { AdminUser } from "#domain/profiles/admin-users.ts";

const columns: Column[] = [
  { label: "User" },
  { label: "Email" },
  { label: "Joined" },
  { label: "Posts", align: "right" },
  { label: "Likes", align: "right" },
  { label: "Messages", align: "right" },
];

export function UsersTable({ users, children }: { users: AdminUser[]; children: ReactNode }) {
  return (
    <Panel className="mt-4 overflow-hidden">
      <ListTable
        caption="Users"
        columns={columns}
        rows={users.map((user) => <UserRow key={user.id} user={user} />)}
        items={users.map((user) => <UserItem key={user.id} user={user} />)}
      />
      {children}
    </Panel>
  );
}

function UserRow({ user }: { user: AdminUser }) {
  return (
    <tr className="border-b border-line last:border-0">
      <td className="py-2.5 pr-3 pl-5">
        <Identity user={user} />
      </td>
      <td className="max-w-64 truncate px-3 text-ink-2" title={user.email}>
        {user.email}
      </td>
      <td className="num whitespace-nowrap px-3 text-sm text-ink-2">{shortDate(user.joinedAt)}</td>
      <td className="num px-3 text-right">{shortCount(user.posts)}</td>
      <td className="num px-3 text-right">{shortCount(user.likes)}</td>
      <td className="num px-3 text-right">{shortCount(user.messages)}</td>
      <td className="pr-4 pl-3">
        <div className="flex justify-end">
          <Actions user={user} />
        </div>
      </td>
    </tr>
  );
}

function UserItem({ user }: { user: AdminUser }) {
  return (
    <li className="flex gap-3 border-b border-line p-4 last:border-0">
      <div className="min-w-0 flex-1">
        <Identity user={user} />
        <p className="mt-2 text-sm text-ink-2 [overflow-wrap:anywhere]">{user.email}</p>
        <p className="num mt-1 flex flex-wrap gap-x-3 text-sm text-ink-2">
          <span className="w-full">Joined {shortDate(user.joinedAt)}</span>
          <Counted count={user.posts} noun="post" />
          <Counted count={user.likes} noun="like" />
          <Counted count={user.messages} noun="message" />
        </p>
      </div>
      <div className="flex flex-col">
        <Actions user={user} />
      </div>
    </li>
  );
}

function Counted({ count, noun }: { count: number; noun: string }) {
  return (
    <span title={fullCount(count)}>
      {shortCount(count)} {count === 1 ? noun : `${noun}s`}
    </span>
  );
}

function Identity({ user }: { user: AdminUser }) {
  return (
    <div className="flex items-center gap-3">
      <Avatar {...user} size={40} />
      <div className="min-w-0">
        <Link to={`/profile/${user.id}`} className="block max-w-60 truncate font-medium hover:text-accent-ink">
          {user.name}
        </Link>
        {user.location && <p className="max-w-60 truncate text-sm text-ink-2">{user.location}</p>}
        <Marks user={user} />
      </div>
    </div>
  );
}

function Marks({ user: { role, confirmed, suspendedUntil } }: { user: AdminUser }) {
  if (role === null && confirmed && suspendedUntil === null) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-1.5">
      {role && <Badge tone="info">{role === "administrator" ? "Administrator" : "Moderator"}</Badge>}
      {suspendedUntil !== null && <Badge tone="warning" icon={Ban}>{`Suspended until ${shortDate(suspendedUntil)}`}</Badge>}
      {!confirmed && <Badge>Unconfirmed</Badge>}
    </p>
  );
}

/** Messages open in a new tab, as specified. */
function Actions({ user: { id, name } }: { user: AdminUser }) {
  const { viewer, site } = useRoot();
  return (
    <>
      {viewer?.id !== id && site.features.messages && (
        <IconLink label={`Message ${name}`} icon={MessageCircle} size="sm" to={`/messages/${id}`} target="_blank" />
      )}
      <IconLink label={`Moderate ${name}`} icon={ShieldAlert} size="sm" to={`/admin/users/${id}`} />
    </>
  );
}

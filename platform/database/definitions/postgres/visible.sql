-- Notifies every process of changes that may hide public content, so that each drops its cached pages. Counts of a story don't
-- notify.
create or replace function notify_hidden() returns trigger language plpgsql as $$
begin
  perform pg_notify('inkstead_hidden', '');
  return null;
end $$;

create trigger posts_hidden_change after delete or update of id, "userId", "userName", title, summary, content, status, featured, pinned,
  "featuredImage", "heldBy", "createdAt", "updatedAt" on posts
  for each statement execute function notify_hidden();

create trigger posts_hidden_new after insert on posts
  for each statement execute function notify_hidden();

create trigger profiles_hidden after insert or update or delete on profiles
  for each statement execute function notify_hidden();

create trigger users_hidden after update of name, image or delete on users
  for each statement execute function notify_hidden();

create trigger settings_hidden after insert or update or delete on settings
  for each statement execute function notify_hidden();

create trigger page_texts_hidden after insert or update or delete on page_texts
  for each statement execute function notify_hidden();

create trigger suspensions_hidden after insert or update or delete on suspensions
  for each statement execute function notify_hidden();

create trigger administrators_hidden after insert or update or delete on administrators
  for each statement execute function notify_hidden();

create trigger post_files_hidden after delete on post_files
  for each statement execute function notify_hidden();

create trigger files_hidden after delete on files
  for each statement execute function notify_hidden();

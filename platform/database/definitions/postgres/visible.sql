-- Calls out to every process what may have been taken out of visitors' sight, so that each ends the pages that it keeps. What
-- is counted on a story calls out nothing.
create or replace function call_out_hidden() returns trigger language plpgsql as $$
begin
  perform pg_notify('inkstead_hidden', '');
  return null;
end $$;

create trigger posts_hidden_change after delete or update of id, "userId", "userName", title, summary, content, status, featured, pinned,
  "featuredImage", "heldBy", "createdAt", "updatedAt" on posts
  for each statement execute function call_out_hidden();

create trigger posts_hidden_new after insert on posts
  for each statement execute function call_out_hidden();

create trigger profiles_hidden after insert or update or delete on profiles
  for each statement execute function call_out_hidden();

create trigger users_hidden after update of name, image or delete on users
  for each statement execute function call_out_hidden();

create trigger settings_hidden after insert or update or delete on settings
  for each statement execute function call_out_hidden();

create trigger page_texts_hidden after insert or update or delete on page_texts
  for each statement execute function call_out_hidden();

create trigger suspensions_hidden after insert or update or delete on suspensions
  for each statement execute function call_out_hidden();

create trigger administrators_hidden after insert or update or delete on administrators
  for each statement execute function call_out_hidden();

create trigger post_files_hidden after delete on post_files
  for each statement execute function call_out_hidden();

create trigger files_hidden after delete on files
  for each statement execute function call_out_hidden();

-- A copy of a whole site includes its counters, so triggers must not count the rows again.
create or replace function is_copying() returns boolean language sql stable
as $$ select coalesce(current_setting('inkstead.moving', true), '') = 'on' $$;

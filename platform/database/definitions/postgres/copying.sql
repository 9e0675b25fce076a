-- While a whole site is copied into the database its counters come along: triggers must not count the rows again.
create or replace function is_copying() returns boolean language sql stable
as $$ select coalesce(current_setting('inkstead.moving', true), '') = 'on' $$;

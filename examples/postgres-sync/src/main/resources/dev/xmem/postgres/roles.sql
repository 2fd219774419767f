-- Run once by the owner of the schema, after the first program has migrated it.
-- An agent's role publishes its own streams and asks for families. It cannot change the schema.
do $$ begin
    if not exists (select from pg_roles where rolname = '${schema}_agent') then
        create role "${schema}_agent" nologin;
    end if;
end $$;
revoke all on schema "${schema}" from public;
grant usage on schema "${schema}" to "${schema}_agent";
grant select on "${schema}".migration to "${schema}_agent";
grant select, insert, update on "${schema}".replica, "${schema}".stream to "${schema}_agent";
grant select, insert, update, delete on "${schema}".piece, "${schema}".lesson to "${schema}_agent";
grant select, insert on "${schema}".family to "${schema}_agent";

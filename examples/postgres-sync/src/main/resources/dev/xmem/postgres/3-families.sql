create table lesson (
    family text not null check (length(family) <= 256),
    name text not null,
    replica text not null references replica,
    advises boolean not null,
    at bigint not null,
    seen bigint not null default 1,
    line bytea not null check (octet_length(line) <= 65536),
    primary key (family, name, replica)
);
create table family (
    key bigint primary key,
    first xid8 not null default pg_current_xact_id()
);
comment on table lesson is 'The best line of a family by each replica and stream, and how many lines it had.';
comment on table family is '64-bit digests of the families of which there ever was a lesson, for a filter.';
create index lesson_best on lesson (family, name, advises desc, at desc);
create index lesson_of on lesson (replica, name);
create index family_first on family (first);

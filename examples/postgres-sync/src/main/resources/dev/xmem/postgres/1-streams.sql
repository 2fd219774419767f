create table replica (
    id text primary key check (id ~ '^[0-9a-f]{32}$'),
    retired boolean not null default false
);
create table stream (
    replica text not null references replica,
    name text not null check (length(name) <= 64),
    generation bigint not null check (generation > 0),
    bytes bigint not null check (bytes >= 0),
    changed xid8 not null default pg_current_xact_id(),
    primary key (replica, name)
);
create table piece (
    replica text not null,
    name text not null,
    generation bigint not null,
    position bigint not null check (position >= 0),
    bytes bytea not null,
    primary key (replica, name, generation, position),
    foreign key (replica, name) references stream
);
comment on table stream is 'Where each stream ends, and the transaction that put it there.';
comment on table piece is 'The bytes of the streams, whole lines.';

package dev.xmem.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Migrates a schema to this program's version: applies the missing files in order, each once, in one transaction.
 * Concurrent migrations wait for each other. A schema of a later version is refused and not changed.
 */
final class SchemaMigrations {
    private static final String FAMILIES = "3-families.sql";
    private static final List<String> FILES = List.of("1-streams.sql", "2-tail.sql", FAMILIES);
    private static final int LOCK = 0x786d656d;

    private SchemaMigrations() {}

    /** Migrates to the latest version, in the caller's transaction; the schema must be first in the search path. */
    static void apply(Connection connection, String schema) throws SQLException, IOException {
        apply(connection, schema, FILES.size());
    }

    /** Migrates to a given version; tests use it to create old schemas. */
    static void apply(Connection connection, String schema, int last) throws SQLException, IOException {
        if (version(connection, schema) == last) {
            return;
        }
        try (PreparedStatement lock = connection.prepareStatement("select pg_advisory_xact_lock(?, hashtext(?))")) {
            lock.setInt(1, LOCK);
            lock.setString(2, schema);
            lock.execute();
        }
        int current = version(connection, schema);
        if (current > FILES.size()) {
            throw new IOException("the schema \"" + schema + "\" has version " + current
                    + ", but this program supports versions up to " + FILES.size() + "; use a later release");
        }
        if (current < last) {
            migrate(connection, schema, current, last);
        }
    }

    private static void migrate(Connection connection, String schema, int current, int last)
            throws SQLException, IOException {
        try (Statement sql = connection.createStatement()) {
            if (current == 0) {
                sql.execute("do $$ begin if not exists (select from pg_namespace where nspname = '" + schema
                        + "') then create schema \"" + schema + "\"; end if; end $$");
                sql.execute("create table migration (version int primary key, applied timestamptz not null default"
                        + " now())");
            }
            for (int version = current + 1; version <= last; version++) {
                sql.execute(text(FILES.get(version - 1)));
                if (FILES.get(version - 1).equals(FAMILIES)) {
                    new FamilyWriter(connection).fill();
                }
                sql.execute("insert into migration (version) values (" + version + ")");
            }
        }
    }

    /** The version of the schema; 0 if it has no tables. */
    private static int version(Connection connection, String schema) throws SQLException {
        // Not to_regclass: it may return a result that this connection cached before it waited for the lock.
        try (PreparedStatement there = connection.prepareStatement(
                "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                        + " where n.nspname = ? and c.relname = 'migration'")) {
            there.setString(1, schema);
            if (number(there) == 0) {
                return 0;
            }
        }
        try (PreparedStatement highest =
                connection.prepareStatement("select coalesce(max(version), 0) from migration")) {
            return number(highest);
        }
    }

    private static int number(PreparedStatement query) throws SQLException {
        try (ResultSet answer = query.executeQuery()) {
            return answer.next() ? answer.getInt(1) : 0;
        }
    }

    private static String text(String file) throws IOException {
        try (InputStream in = SchemaMigrations.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException(file + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

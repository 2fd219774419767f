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
 * Brings a schema to this program's version: the files that are missing, each once, in their order, in one transaction.
 * Programs that start at the same time wait for each other. A schema of a later version is refused, and nothing is changed.
 */
final class Migrations {
    private static final List<String> FILES = List.of("1-streams.sql", "2-tail.sql");
    private static final int LOCK = 0x786d656d;

    private Migrations() {}

    /** Migrates; the caller's transaction, with the schema first in its search path. */
    static void apply(Connection connection, String schema) throws SQLException, IOException {
        apply(connection, schema, FILES.size());
    }

    /** Migrates to an earlier version: how tests make old schemas. */
    static void apply(Connection connection, String schema, int last) throws SQLException, IOException {
        if (version(connection, schema) == last) {
            return;
        }
        try (PreparedStatement lock = connection.prepareStatement("select pg_advisory_xact_lock(?, hashtext(?))")) {
            lock.setInt(1, LOCK);
            lock.setString(2, schema);
            lock.execute();
        }
        int there = version(connection, schema);
        if (there > FILES.size()) {
            throw new IOException("the schema \"" + schema + "\" is of version " + there
                    + ", and this program knows versions up to " + FILES.size() + "; use a later release");
        }
        if (there < last) {
            migrate(connection, schema, there, last);
        }
    }

    private static void migrate(Connection connection, String schema, int there, int last)
            throws SQLException, IOException {
        try (Statement sql = connection.createStatement()) {
            if (there == 0) {
                sql.execute("do $$ begin if not exists (select from pg_namespace where nspname = '" + schema
                        + "') then create schema \"" + schema + "\"; end if; end $$");
                sql.execute("create table migration (version int primary key, applied timestamptz not null default"
                        + " now())");
            }
            for (int version = there + 1; version <= last; version++) {
                sql.execute(text(FILES.get(version - 1)));
                sql.execute("insert into migration (version) values (" + version + ")");
            }
        }
    }

    /** The version that is there; 0 where nothing is. */
    private static int version(Connection connection, String schema) throws SQLException {
        // Read from the tables: to_regclass may answer with what this connection knew before it waited for the lock.
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
        try (InputStream in = Migrations.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException(file + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

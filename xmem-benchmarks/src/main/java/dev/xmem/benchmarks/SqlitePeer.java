package dev.xmem.benchmarks;

import dev.xmem.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * SQLite with a schema for the same queries: WAL, indexes on id, tool, tag, context hash, session and time, and FTS5
 * with the porter stemmer. One transaction per entry, prepared statements. Concurrent threads take turns.
 */
final class SqlitePeer implements Peer {
    private static final String NEWEST_OF_TYPE = "select line, ts, seq from entry"
            + " where ctx_hash = ? and type = ? order by ts desc, seq desc limit " + PAGE;
    static final String NEWEST = "select line from (select * from (" + NEWEST_OF_TYPE + ") union all select * from ("
            + NEWEST_OF_TYPE + ")) order by ts desc, seq desc limit " + PAGE;

    private final ReentrantLock turns = new ReentrantLock(true);
    private final IdGenerator ids;
    private final LineWriter writer = new LineWriter();
    private final LineParser parser = new LineParser();
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement insertTag;
    private final PreparedStatement insertWords;
    private final PreparedStatement newest;
    private final PreparedStatement newestOfType;
    private long seq;

    /** @param synchronous {@code normal}, or {@code full} if a commit must survive a power failure */
    SqlitePeer(Path folder, InstantSource clock, String synchronous) throws SQLException {
        this.ids = new IdGenerator(clock);
        this.connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"));
        prepare(synchronous);
        this.insert = connection.prepareStatement(
                "insert into entry (seq, id, ts, type, tool, ctx_hash, session, line) values (?, ?, ?, ?, ?, ?, ?, ?)");
        this.insertTag = connection.prepareStatement("insert or ignore into tag (tag, seq) values (?, ?)");
        this.insertWords = connection.prepareStatement("insert into words (rowid, text) values (?, ?)");
        this.newest = connection.prepareStatement(NEWEST);
        this.newestOfType = connection.prepareStatement(NEWEST_OF_TYPE);
    }

    private void prepare(String synchronous) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("pragma synchronous = " + synchronous);
            statement.execute(
                    "create table if not exists entry (seq integer primary key, id text not null, ts text not null,"
                            + " type text not null, tool text not null, ctx_hash text not null, session text, line text not null)");
            statement.execute(
                    "create table if not exists tag (tag text, seq integer, primary key (tag, seq)) without rowid");
            statement.execute("create unique index if not exists by_id on entry (id)");
            statement.execute("create index if not exists by_tool on entry (tool, ts)");
            statement.execute("create index if not exists by_hash on entry (ctx_hash, type, ts)");
            statement.execute("create index if not exists by_session on entry (session, ts)");
            statement.execute("create index if not exists by_time on entry (ts)");
            statement.execute(
                    "create virtual table if not exists words using fts5(text, content='', tokenize='porter')");
            try (ResultSet last = statement.executeQuery("select coalesce(max(seq), 0) from entry")) {
                seq = last.getLong(1);
            }
        }
        connection.setAutoCommit(false);
    }

    /** Writes a dataset to an empty folder in one transaction. */
    static void fill(Path folder, Dataset dataset) throws Exception {
        try (SqlitePeer peer = new SqlitePeer(folder, InstantSource.system(), "normal")) {
            dataset.forEachChunk(chunk -> {
                for (StoredEntry stored : chunk) {
                    peer.insert(stored.entry(), stored.id(), stored.ts(), stored.line());
                }
            });
            peer.connection.commit();
        }
    }

    @Override
    public String append(CorpusEntry entry) throws SQLException {
        turns.lock();
        try {
            String id = ids.next();
            writer.write(entry, id, ids.ts());
            insert(entry, id, ids.ts(), new String(writer.bytes(), 0, writer.length() - 1, StandardCharsets.UTF_8));
            connection.commit();
            return id;
        } finally {
            turns.unlock();
        }
    }

    private void insert(CorpusEntry entry, String id, String ts, String line) throws SQLException {
        seq++;
        insert.setLong(1, seq);
        insert.setString(2, id);
        insert.setString(3, ts);
        insert.setString(4, entry.text("type"));
        insert.setString(5, entry.text("tool"));
        insert.setString(6, entry.text("ctx_hash"));
        insert.setString(7, entry.text("session_id"));
        insert.setString(8, line);
        insert.executeUpdate();
        for (String tag : entry.texts("tags")) {
            insertTag.setString(1, tag);
            insertTag.setLong(2, seq);
            insertTag.executeUpdate();
        }
        insertWords.setLong(1, seq);
        insertWords.setString(2, words(entry));
        insertWords.executeUpdate();
    }

    /** Returns all texts of an entry, separated by newlines. */
    static String words(CorpusEntry entry) {
        StringBuilder words = new StringBuilder(600);
        for (Object value : entry.fields().values()) {
            if (value instanceof String text) {
                words.append(text).append('\n');
            } else if (value instanceof List<?> texts) {
                texts.forEach(text -> words.append(text).append('\n'));
            }
        }
        return words.toString();
    }

    @Override
    public List<String> page(String ctxHash) throws Exception {
        newest.setString(1, ctxHash);
        newest.setString(2, "tool_failure");
        newest.setString(3, ctxHash);
        newest.setString(4, "tool_success");
        return ids(parsed(newest));
    }

    @Override
    public List<String> advice(CorpusEntry entry) throws Exception {
        List<Map<String, Object>> found = newest(entry.hash().value(), "tool_failure");
        String subject = entry.hash().subject();
        found.sort(Comparator.comparing(fields -> !subject.equals(fields.get("subject"))));
        found.addAll(newest(entry.hash().value(), "tool_success"));
        return ids(found);
    }

    private List<Map<String, Object>> newest(String ctxHash, String type) throws Exception {
        newestOfType.setString(1, ctxHash);
        newestOfType.setString(2, type);
        return parsed(newestOfType);
    }

    private List<Map<String, Object>> parsed(PreparedStatement select) throws Exception {
        List<Map<String, Object>> found = new ArrayList<>(PAGE);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(parser.fields(rows.getBytes(1)));
            }
        }
        return found;
    }

    private static List<String> ids(List<Map<String, Object>> found) {
        return found.stream()
                .map(fields -> (String) fields.getOrDefault("id", ""))
                .toList();
    }

    @Override
    public List<String> lastLines(Entry.Kind kind, int count) throws Exception {
        List<String> lines = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement("select line from entry where type = ? order by seq desc limit " + count)) {
            select.setString(1, kind == Entry.Kind.FAILURE ? "tool_failure" : "tool_success");
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
        }
        Collections.reverse(lines);
        return lines;
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}

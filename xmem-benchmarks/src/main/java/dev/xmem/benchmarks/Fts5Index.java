package dev.xmem.benchmarks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An in-memory SQLite FTS5 index with the porter stemmer. A search joins all words with OR and ranks by bm25. Not
 * thread-safe.
 */
final class Fts5Index implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement select;

    Fts5Index() throws SQLException {
        this.connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        connection
                .createStatement()
                .execute("create virtual table entries using fts5(scenario unindexed, text, tokenize='porter')");
        this.insert = connection.prepareStatement("insert into entries values (?, ?)");
        this.select = connection.prepareStatement(
                "select scenario from entries where entries match ? order by bm25(entries), rowid limit ?");
    }

    void add(ErrorCorpus.Event event) throws SQLException {
        add(event.scenario(), text(event));
    }

    void add(String id, String text) throws SQLException {
        insert.setString(1, id);
        insert.setString(2, text);
        insert.executeUpdate();
    }

    static String text(ErrorCorpus.Event event) {
        return event.tool() + " " + event.action() + " " + event.error();
    }

    List<String> search(String request) throws SQLException {
        return search(request, Set.of(), RetrievalMetrics.CUTOFF);
    }

    /** The ids of the best entries for the words of a request that are not left out. */
    List<String> search(String request, Set<String> leftOut, int limit) throws SQLException {
        List<String> words = new ArrayList<>();
        for (String word : request.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+")) {
            if (!word.isEmpty() && !leftOut.contains(word)) {
                words.add('"' + word + '"');
            }
        }
        List<String> found = new ArrayList<>();
        if (!words.isEmpty()) {
            select.setString(1, String.join(" OR ", words));
            select.setInt(2, limit);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}

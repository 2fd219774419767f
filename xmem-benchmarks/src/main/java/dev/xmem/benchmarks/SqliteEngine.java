package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQLite on the files of {@link SqlitePeer}: an indexed select for a context hash, FTS5 for texts, prepared
 * statements. A literal is an FTS5 phrase query whose rows are verified with {@code instr}. With the porter stemmer
 * that is exact for whole words, and all test queries are whole words; with trigrams it is exact for any text. SQLite
 * has no built-in regular expressions, so {@link Pattern} matches the rows with the literal part, or else all rows,
 * newest first.
 */
final class SqliteEngine implements Engine {
    private static final Pattern LITERAL_PART = Pattern.compile("^[a-z0-9]{3,}");

    private final String tokenizer;

    /** @param tokenizer {@code porter}, which all SQLite figures use, or {@code trigram} in a second table */
    SqliteEngine(String tokenizer) {
        this.tokenizer = tokenizer;
    }

    private boolean trigram() {
        return tokenizer.equals("trigram");
    }

    @Override
    public String name() {
        return trigram() ? "sqlite-trigram" : "sqlite";
    }

    @Override
    public String version() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
                ResultSet version = connection.createStatement().executeQuery("select sqlite_version()")) {
            return "SQLite " + version.getString(1);
        }
    }

    @Override
    public Set<QueryType> supportedTypes() {
        EnumSet<QueryType> types = EnumSet.allOf(QueryType.class);
        types.removeIf(type -> trigram() && (!type.exact() || type.kind() == QueryType.Kind.HASH));
        return types;
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        SqlitePeer.fill(folder, dataset);
        if (trigram()) {
            try (Connection connection = connect(folder)) {
                fillTrigrams(connection, dataset);
            }
        }
    }

    private static void fillTrigrams(Connection connection, Dataset dataset) throws Exception {
        connection.setAutoCommit(false);
        connection
                .createStatement()
                .execute("create virtual table trigrams using"
                        + " fts5(text, content='', tokenize='trigram case_sensitive 1')");
        try (PreparedStatement insert = connection.prepareStatement("insert into trigrams (text) values (?)")) {
            dataset.forEachChunk(chunk -> {
                for (StoredEntry stored : chunk) {
                    insert.setString(1, String.join("\n", stored.texts()));
                    insert.executeUpdate();
                }
            });
        }
        connection.commit();
    }

    private static Connection connect(Path folder) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"));
    }

    @Override
    public Searcher open(Path folder) throws Exception {
        return new Open(connect(folder), trigram() ? "trigrams" : "words");
    }

    private static final class Open implements Searcher {
        private final Connection connection;
        private final LineParser parser = new LineParser();
        private final PreparedStatement ofHash;
        private final PreparedStatement phrase;
        private final PreparedStatement mayMatch;
        private final PreparedStatement all;
        private final PreparedStatement ranked;

        Open(Connection connection, String table) throws SQLException {
            this.connection = connection;
            String found = " from " + table + " w join entry e on e.seq = w.rowid where " + table + " match ?";
            ofHash = connection.prepareStatement(SqlitePeer.NEWEST);
            phrase = connection.prepareStatement(
                    "select e.line" + found + " and instr(e.line, ?) order by w.rowid desc limit ?");
            mayMatch = connection.prepareStatement("select e.line" + found + " order by w.rowid desc");
            all = connection.prepareStatement("select line from entry order by seq desc");
            ranked = connection.prepareStatement("select e.line from (select rowid, rank from words where words match ?"
                    + " order by rank limit ?) w join entry e on e.seq = w.rowid order by w.rank");
        }

        @Override
        public List<String> ids(TestQuery query) throws Exception {
            String text = query.text();
            int limit = query.type().limit();
            return switch (query.type().kind()) {
                case HASH -> run(bound(ofHash, text, "tool_failure", text, "tool_success"));
                case LITERAL -> run(bound(phrase, quoted(text), text, limit));
                case REGEX -> matching(Pattern.compile(text), limit);
                case WORDS -> run(bound(ranked, anyOf(text), limit));
            };
        }

        private static PreparedStatement bound(PreparedStatement select, Object... values) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                select.setObject(i + 1, values[i]);
            }
            return select;
        }

        private List<String> run(PreparedStatement select) throws Exception {
            List<String> ids = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(id(rows.getBytes(1)));
                }
            }
            return ids;
        }

        private String id(byte[] line) throws Exception {
            Map<String, Object> fields = parser.fields(line);
            return (String) fields.getOrDefault("id", "");
        }

        private List<String> matching(Pattern pattern, int limit) throws Exception {
            Matcher literal = LITERAL_PART.matcher(pattern.pattern());
            PreparedStatement select = literal.find() ? bound(mayMatch, quoted(literal.group()) + '*') : all;
            List<String> ids = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (ids.size() < limit && rows.next()) {
                    byte[] line = rows.getBytes(1);
                    if (pattern.matcher(new String(line, StandardCharsets.UTF_8))
                            .find()) {
                        ids.add(id(line));
                    }
                }
            }
            return ids;
        }

        private static String quoted(String text) {
            return '"' + text.replace("\"", "\"\"") + '"';
        }

        private static String anyOf(String words) {
            List<String> quoted = new ArrayList<>();
            for (String word : words.toLowerCase(Locale.ROOT).split(" ", -1)) {
                quoted.add(quoted(word));
            }
            return String.join(" OR ", quoted);
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
}

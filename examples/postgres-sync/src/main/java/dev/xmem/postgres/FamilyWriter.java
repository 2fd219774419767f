package dev.xmem.postgres;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the best line of each family by each replica, in the transaction that publishes the lines. A line with advice
 * is better than one without, then the newer one. A higher generation removes the lessons of the one before.
 */
final class FamilyWriter {
    private static final Set<String> STREAMS = Set.of("failures", "successes");
    private static final int MAX_LINE_BYTES = 65536;
    private static final int MAX_FAMILY = 256;
    private static final int FETCHED_PIECES = 64;
    private static final JsonFactory JSON = new JsonFactory();

    private static final String UPSERT = "insert into lesson as old (family, name, replica, advises, at, line)"
            + " values (?, ?, ?, ?, ?, ?) on conflict (family, name, replica) do update set seen = old.seen + 1,"
            + " advises = old.advises or excluded.advises,"
            + " line = case when (excluded.advises, excluded.at) >= (old.advises, old.at) then excluded.line"
            + " else old.line end,"
            + " at = case when (excluded.advises, excluded.at) >= (old.advises, old.at) then excluded.at"
            + " else old.at end";

    private final Connection connection;

    FamilyWriter(Connection connection) {
        this.connection = connection;
    }

    /** What a line says of its family. */
    private record Lesson(String family, boolean advises, long at) {}

    /** Adds the lessons of all lines that were published before there were families. */
    void fill() throws SQLException {
        try (PreparedStatement pieces = connection.prepareStatement(
                "select replica, name, generation, position, bytes from piece order by replica, name, position")) {
            pieces.setFetchSize(FETCHED_PIECES);
            try (ResultSet row = pieces.executeQuery()) {
                while (row.next()) {
                    Chunk chunk = chunk(row);
                    if (chunk != null) {
                        publish(List.of(chunk));
                    }
                }
            }
        }
    }

    private static @Nullable Chunk chunk(ResultSet row) throws SQLException {
        try {
            Stream stream = new Stream(row.getString(1), row.getString(2));
            return Chunk.of(stream, row.getLong(3), row.getLong(4), row.getBytes(5));
        } catch (IllegalArgumentException e) {
            return null; // a name or a number that no stream can have
        }
    }

    /** Adds the lessons of chunks; returns the keys of their families. */
    Set<Long> publish(List<Chunk> all) throws SQLException {
        List<Chunk> chunks =
                all.stream().filter(chunk -> isOfLessons(chunk.stream().name())).toList();
        ChunkWriter.deleteReplaced(connection, "lesson", chunks);
        Set<Long> keys = new TreeSet<>(); // in one order, so that two transactions do not wait for each other
        try (PreparedStatement sql = connection.prepareStatement(UPSERT)) {
            for (Chunk chunk : chunks) {
                byte[] bytes = chunk.bytes();
                int start = 0;
                for (int i = 0; i < bytes.length; i++) {
                    if (bytes[i] == '\n' || i == bytes.length - 1) {
                        int end = bytes[i] == '\n' ? i : i + 1;
                        add(sql, chunk, Arrays.copyOfRange(bytes, start, end), keys);
                        start = i + 1;
                    }
                }
            }
            sql.executeBatch();
        }
        if (!keys.isEmpty()) {
            Array array = connection.createArrayOf("bigint", keys.toArray());
            try (PreparedStatement sql =
                    connection.prepareStatement("insert into family (key) select k from unnest(?) k where not exists"
                            + " (select from family f where f.key = k) order by k on conflict do nothing")) {
                sql.setArray(1, array);
                sql.executeUpdate();
            }
        }
        return keys;
    }

    private static boolean isOfLessons(String stream) {
        return STREAMS.contains(stream.contains("-") ? stream.substring(0, stream.indexOf('-')) : stream);
    }

    private static void add(PreparedStatement sql, Chunk chunk, byte[] line, Set<Long> keys) throws SQLException {
        Lesson lesson = line.length > MAX_LINE_BYTES ? null : lesson(line);
        if (lesson != null) {
            sql.setString(1, lesson.family);
            sql.setString(2, chunk.stream().name());
            sql.setString(3, chunk.stream().replica());
            sql.setBoolean(4, lesson.advises);
            sql.setLong(5, lesson.at);
            sql.setBytes(6, line);
            sql.addBatch();
            keys.add(FamilyFilter.key(lesson.family));
        }
    }

    /** The lesson of a line; null if it is none: an event, a blank line, a line without a family. */
    private static @Nullable Lesson lesson(byte[] line) {
        String family = "";
        String type = "";
        boolean advises = false;
        long at = 0;
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                JsonToken value = json.nextToken();
                String text = value == JsonToken.VALUE_STRING ? json.getText() : "";
                switch (field) {
                    case "ctx_hash" -> family = text;
                    case "type" -> type = text;
                    case "ts" -> at = millis(text);
                    case "pattern_avoid" -> advises |= !text.isBlank();
                    case "key_steps" -> advises = true;
                    default -> {}
                }
                json.skipChildren();
            }
        } catch (IOException e) {
            return null;
        }
        boolean entry = type.isEmpty() || type.equals("tool_failure") || type.equals("tool_success");
        boolean usable = entry && !family.isEmpty() && family.length() <= MAX_FAMILY && family.indexOf('\0') < 0;
        return usable ? new Lesson(family, advises, at) : null;
    }

    private static long millis(String time) {
        try {
            // A time that is ahead of everyone's would stay the newest for ever.
            return Math.min(Instant.parse(time).toEpochMilli(), System.currentTimeMillis());
        } catch (DateTimeException | ArithmeticException e) {
            return 0;
        }
    }

    /** The bytes of a family's name. */
    static byte[] bytes(String family) {
        return family.getBytes(StandardCharsets.UTF_8);
    }
}

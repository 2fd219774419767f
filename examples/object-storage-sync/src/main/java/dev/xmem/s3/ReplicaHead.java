package dev.xmem.s3;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The head of a replica: where each of its streams ends, and the objects that have the bytes. It is one object in JSON
 * and says what is published: an object that no head names was never published. Immutable. The object is not trusted:
 * names, sizes and counts are checked when it is read.
 *
 * @param commit random, so that each writer knows its own version, and no two versions have the same entity tag
 */
record ReplicaHead(String commit, boolean retired, SortedMap<String, Pieces> streams) {
    /** The maximum size of a head. */
    static final int MAX_BYTES = 16 << 20;

    /** The maximum size of an object with bytes of a stream. */
    static final int MAX_PIECE_BYTES = 8 << 20;

    /** What is wrong with a head that is none, to complete a sentence about it. */
    static final String MALFORMED = "is malformed";

    private static final int FORMAT = 1;
    private static final int MAX_STREAMS = 512;
    private static final int MAX_PIECES = 1 << 17;
    private static final int HASH_CHARS = 32;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{" + HASH_CHARS + "}");
    private static final JsonFactory JSON = new JsonFactory();

    /** The object with the bytes of a stream that follow those of the piece before. */
    record Piece(String hash, int length) {
        Piece {
            if (!HASH.matcher(hash).matches() || length < 1 || length > MAX_PIECE_BYTES) {
                throw new IllegalArgumentException("a malformed piece");
            }
        }

        static Piece of(byte[] bytes) {
            return new Piece(RequestSigner.sha256(bytes).substring(0, HASH_CHARS), bytes.length);
        }
    }

    /** The pieces of a stream in one generation. */
    record Pieces(long generation, List<Piece> pieces) {
        Pieces {
            pieces = List.copyOf(pieces);
        }

        Head end() {
            return new Head(generation, start(pieces.size()));
        }

        /** The position where a piece begins. */
        long start(int index) {
            long position = 0;
            for (Piece piece : pieces.subList(0, index)) {
                position += piece.length;
            }
            return position;
        }
    }

    Head end(String stream) {
        Pieces pieces = streams.get(stream);
        return pieces == null ? Head.NONE : pieces.end();
    }

    byte[] json() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField("format", FORMAT);
            json.writeStringField("commit", commit);
            json.writeBooleanField("retired", retired);
            json.writeArrayFieldStart("streams");
            for (Map.Entry<String, Pieces> stream : streams.entrySet()) {
                json.writeStartObject();
                json.writeStringField("name", stream.getKey());
                json.writeNumberField("generation", stream.getValue().generation);
                json.writeArrayFieldStart("pieces");
                for (Piece piece : stream.getValue().pieces) {
                    json.writeStartArray();
                    json.writeString(piece.hash);
                    json.writeNumber(piece.length);
                    json.writeEndArray();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        int pieces = streams.values().stream()
                .mapToInt(stream -> stream.pieces.size())
                .sum();
        if (out.size() > MAX_BYTES || pieces > MAX_PIECES || streams.size() > MAX_STREAMS) {
            throw new IOException("the head of the replica would be larger than readers accept: compact the store");
        }
        return out.toByteArray();
    }

    /** Reads a head; throws an {@link IOException} whose message completes a sentence about it. */
    static ReplicaHead parse(byte[] bytes) throws IOException {
        long format = 0;
        String commit = "";
        boolean retired = false;
        SortedMap<String, Pieces> streams = new TreeMap<>();
        try (JsonParser json = JSON.createParser(bytes)) {
            require(json.nextToken() == JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                JsonToken value = json.nextToken();
                switch (field) {
                    case "format" -> format = number(json);
                    case "commit" -> commit = json.getValueAsString("");
                    case "retired" -> retired = value == JsonToken.VALUE_TRUE;
                    case "streams" -> streams(json, streams);
                    default -> json.skipChildren();
                }
            }
        } catch (com.fasterxml.jackson.core.JacksonException | IllegalArgumentException e) {
            throw new IOException(MALFORMED, e);
        }
        if (format > FORMAT) {
            throw new IOException("was written by a later version; use a later release");
        }
        require(format == FORMAT);
        return new ReplicaHead(commit, retired, streams);
    }

    private static void streams(JsonParser json, SortedMap<String, Pieces> streams) throws IOException {
        require(json.currentToken() == JsonToken.START_ARRAY);
        int left = MAX_PIECES;
        while (json.nextToken() == JsonToken.START_OBJECT) {
            String name = "";
            long generation = 0;
            List<Piece> pieces = new ArrayList<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "name" -> name = json.getValueAsString("");
                    case "generation" -> generation = number(json);
                    case "pieces" -> pieces(json, pieces, left);
                    default -> json.skipChildren();
                }
            }
            left -= pieces.size();
            require(Stream.isName(name) && generation >= 1 && generation <= Head.LAST_GENERATION);
            require(streams.put(name, new Pieces(generation, pieces)) == null && streams.size() <= MAX_STREAMS);
        }
        require(json.currentToken() == JsonToken.END_ARRAY);
    }

    private static void pieces(JsonParser json, List<Piece> pieces, int most) throws IOException {
        require(json.currentToken() == JsonToken.START_ARRAY);
        while (json.nextToken() == JsonToken.START_ARRAY) {
            require(json.nextToken() == JsonToken.VALUE_STRING);
            String hash = json.getText();
            json.nextToken();
            pieces.add(new Piece(hash, (int) Math.min(Integer.MAX_VALUE, number(json))));
            require(json.nextToken() == JsonToken.END_ARRAY && pieces.size() <= most);
        }
        require(json.currentToken() == JsonToken.END_ARRAY);
    }

    private static long number(JsonParser json) throws IOException {
        require(json.currentToken() == JsonToken.VALUE_NUMBER_INT);
        return json.getLongValue();
    }

    private static void require(boolean holds) throws IOException {
        if (!holds) {
            throw new IOException(MALFORMED);
        }
    }
}

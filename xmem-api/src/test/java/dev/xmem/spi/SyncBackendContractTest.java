package dev.xmem.spi;

import dev.xmem.testing.SyncBackendContract;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The contract, applied to a minimal backend: bytes in a map. */
class SyncBackendContractTest extends SyncBackendContract {
    private final Place place = new Place();

    @Override
    protected SyncBackend connect(String machine) {
        return new InMemory(place);
    }

    private static final class Place {
        private final Map<String, SyncBackend.Head> heads = new TreeMap<>();
        private final Map<String, byte[]> bytes = new TreeMap<>();
        private final Set<String> retired = new TreeSet<>();
    }

    private record InMemory(Place place) implements SyncBackend {
        @Override
        public String id() {
            return "memory";
        }

        @Override
        public Set<Ability> abilities() {
            return Set.of(Ability.ERASE, Ability.RETIRE);
        }

        private static String key(Stream stream) {
            return stream.replica() + "/" + stream.name();
        }

        @Override
        public Ack publish(Publication own, Duration limit) {
            synchronized (place) {
                if (place.retired.contains(own.replica())) {
                    return Ack.retired();
                }
                for (Chunk chunk : own.chunks()) {
                    if (!chunk.follows(place.heads.getOrDefault(key(chunk.stream()), Head.NONE))) {
                        return Ack.refused();
                    }
                }
                for (Chunk chunk : own.chunks()) {
                    ByteArrayOutputStream joined = new ByteArrayOutputStream();
                    if (chunk.from() > 0) {
                        joined.writeBytes(place.bytes.get(key(chunk.stream())));
                    }
                    joined.writeBytes(chunk.bytes());
                    place.bytes.put(key(chunk.stream()), joined.toByteArray());
                    place.heads.put(key(chunk.stream()), chunk.end());
                }
                return Ack.accepted();
            }
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) {
            synchronized (place) {
                List<Chunk> chunks = new ArrayList<>();
                long left = maxBytes;
                for (Map.Entry<String, Head> there : place.heads.entrySet()) {
                    String[] name = there.getKey().split("/");
                    Stream stream = new Stream(name[0], name[1]);
                    Head head = there.getValue();
                    Head at = known.getOrDefault(stream, Head.NONE);
                    boolean restarted = head.generation() > at.generation();
                    boolean behind = head.generation() == at.generation() && head.position() > at.position();
                    if (!restarted && !behind) {
                        continue;
                    }
                    if (left <= 0) {
                        return Batch.of(chunks, List.of(), true);
                    }
                    int from = restarted ? 0 : (int) at.position();
                    byte[] all = place.bytes.get(there.getKey());
                    int end = end(all, from, left);
                    chunks.add(Chunk.of(stream, head.generation(), from, Arrays.copyOfRange(all, from, end)));
                    left -= end - from;
                    if (end < all.length) {
                        return Batch.of(chunks, List.of(), true);
                    }
                }
                return Batch.of(chunks, List.of(), false);
            }
        }

        /** The end of the last line that fits, or of the first line. */
        private static int end(byte[] all, int from, long most) {
            int end = from;
            for (int i = from; i < all.length; i++) {
                if (all[i] == '\n') {
                    if (end > from && i + 1 - from > most) {
                        break;
                    }
                    end = i + 1;
                }
            }
            return end;
        }

        @Override
        public void retire(String replica, Duration limit) {
            synchronized (place) {
                place.retired.add(replica);
            }
        }

        @Override
        public void close() {
            // nothing to release
        }
    }
}

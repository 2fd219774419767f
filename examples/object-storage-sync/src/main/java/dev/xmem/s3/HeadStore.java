package dev.xmem.s3;

import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The heads of all replicas: {@code heads/<replica>.json}. The fence is here: a head is replaced only if it is still
 * the one that its writer read, by {@code If-Match}, and created only if there is none, by {@code If-None-Match}. Keeps
 * the heads it has read, up to a limit, so that a poll reads only those whose entity tag changed. One caller at a time.
 */
final class HeadStore {
    private static final int MAX_PAGES = 64;
    private static final String SUFFIX = ".json";

    private final S3Client client;
    private final String prefix;
    private final String fence;
    private final long maxCachedBytes;
    private final Map<String, Known> known = new HashMap<>();
    private long cachedBytes;
    private boolean fenceHolds;
    private boolean listsAll = true;

    /**
     * A head that was read.
     *
     * @param head null if it is malformed
     * @param problem what is wrong with it, to complete a sentence about the replica; empty if nothing is
     * @param bytes its size in the bucket; 0 if it is malformed
     */
    record Known(String tag, @Nullable ReplicaHead head, String problem, int bytes) {}

    /** Keeps heads up to a total size in bytes as they are stored. */
    HeadStore(S3Client client, String prefix, long maxCachedBytes) {
        this.client = client;
        this.maxCachedBytes = maxCachedBytes;
        this.prefix = prefix + "heads/";
        this.fence = prefix + "fence";
    }

    /** The key of the head of a replica. */
    String key(String replica) {
        return prefix + replica + SUFFIX;
    }

    /** The entity tags of all heads by replica. */
    SortedMap<String, String> list(TimeLimit limit) throws IOException {
        SortedMap<String, String> tags = new TreeMap<>();
        String next = null;
        int pages = 0;
        do {
            Listing page = client.list(prefix, next, limit);
            for (Listing.Item item : page.items()) {
                String name = item.key().startsWith(prefix) ? item.key().substring(prefix.length()) : "";
                String replica = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : "";
                if (Stream.isReplica(replica)) {
                    tags.put(replica, item.tag());
                }
            }
            next = page.next();
        } while (next != null && ++pages < MAX_PAGES);
        listsAll = next == null;
        List.copyOf(known.keySet()).stream()
                .filter(replica -> !tags.containsKey(replica))
                .forEach(this::forget);
        return tags;
    }

    /** Whether the last listing was complete: there are not more objects than are ever listed. */
    boolean listsAll() {
        return listsAll;
    }

    /** The head of a replica as of an entity tag, from the cache if it is in it; null if there is none. */
    @Nullable Known get(String replica, @Nullable String tag, TimeLimit limit) throws IOException {
        Known cached = known.get(replica);
        if (cached != null && tag != null && tag.equals(Listing.unquoted(cached.tag))) {
            return cached;
        }
        return read(replica, limit);
    }

    /** The head of a replica that was read or written last; null if none was, or it is not kept. */
    @Nullable Known cached(String replica) {
        return known.get(replica);
    }

    /** Reads the head of a replica; null if there is none. */
    @Nullable Known read(String replica, TimeLimit limit) throws IOException {
        S3Client.Content content = client.get(key(replica), ReplicaHead.MAX_BYTES, limit);
        if (content == null) {
            forget(replica);
            return null;
        }
        Known read;
        try {
            read = new Known(content.tag(), ReplicaHead.parse(content.bytes()), "", content.bytes().length);
        } catch (IOException e) {
            read = new Known(content.tag(), null, String.valueOf(e.getMessage()), 0);
        }
        keep(replica, read);
        return read;
    }

    private void keep(String replica, Known read) {
        forget(replica);
        if (cachedBytes + read.bytes <= maxCachedBytes) {
            known.put(replica, read);
            cachedBytes += read.bytes;
        }
    }

    private void forget(String replica) {
        Known before = known.remove(replica);
        cachedBytes -= before == null ? 0 : before.bytes;
    }

    /**
     * Replaces the head of a replica.
     *
     * @param before the head that must still be there; null if there must be none
     * @return false if it is not, and nothing was changed
     */
    boolean replace(String replica, @Nullable Known before, ReplicaHead next, TimeLimit limit) throws IOException {
        checkFence(limit);
        forget(replica);
        byte[] json = next.json();
        String tag = client.putIf(key(replica), json, before == null ? null : before.tag, limit);
        if (tag == null) {
            // Also after a first attempt that was stored, and whose answer was lost.
            Known now = read(replica, limit);
            return now != null && now.head != null && now.head.commit().equals(next.commit());
        }
        keep(replica, new Known(tag, next, "", json.length));
        return true;
    }

    /**
     * Checks once that the store honors both conditions. Where it ignores them, two writers overwrite each other
     * silently. The object that this writes means nothing.
     */
    private void checkFence(TimeLimit limit) throws IOException {
        if (fenceHolds) {
            return;
        }
        byte[] text = "xmem checks here that conditional writes work\n".getBytes(StandardCharsets.US_ASCII);
        boolean created = client.putIf(fence, text, null, limit) != null;
        if (created && client.putIf(fence, text, null, limit) != null
                || client.putIf(fence, text, "\"00000000000000000000000000000000\"", limit) != null) {
            throw new S3Exception(
                    200,
                    S3Exception.NO_CONDITIONS,
                    "the object store ignores If-None-Match or If-Match, so that two writers would overwrite each"
                            + " other: use one with conditional writes");
        }
        fenceHolds = true;
    }
}

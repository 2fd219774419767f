package dev.xmem.git;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;

/**
 * Fetches the refs of the replicas: all at once, and where that fails, since one whose objects are not all there breaks it
 * for all, one after the other.
 */
final class RefFetcher {
    private static final int MAX_REFS = 8192;

    private final Repository repository;
    private final GitRemote wire;
    private final Map<String, String> prefixes;
    private final List<String> refused = new ArrayList<>();

    /** Fetches what is under the prefixes of the remote to those of the repository. */
    RefFetcher(Repository repository, GitRemote wire, Map<String, String> prefixes) {
        this.repository = repository;
        this.wire = wire;
        this.prefixes = Map.copyOf(prefixes);
    }

    /** What could not be fetched the last time, a sentence each. */
    List<String> refused() {
        return List.copyOf(refused);
    }

    void fetch(Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        refused.clear();
        List<String> all = new ArrayList<>();
        prefixes.forEach((there, here) -> all.add("+" + there + "*:" + here + "*"));
        try {
            wire.fetch(all, limit);
        } catch (IOException e) {
            oneByOne(deadline, e);
        }
    }

    private void oneByOne(long deadline, IOException failure) throws IOException {
        Map<String, ObjectId> there;
        try {
            there = wire.list(List.copyOf(prefixes.keySet()), left(deadline, failure));
        } catch (IOException e) {
            throw failure;
        }
        Set<String> kept = new HashSet<>();
        for (Map.Entry<String, ObjectId> ref : there.entrySet()) {
            String name = here(ref.getKey());
            kept.add(name);
            Ref known = repository.exactRef(name);
            if (kept.size() > MAX_REFS || known != null && ref.getValue().equals(known.getObjectId())) {
                continue;
            }
            try {
                wire.fetch(List.of("+" + ref.getKey() + ":" + name), left(deadline, failure));
            } catch (IOException e) {
                String replica = name.substring(name.lastIndexOf('/') + 1).replaceAll("[^0-9a-f]", "?");
                refused.add(
                        replica.substring(0, Math.min(8, replica.length())) + " cannot be fetched: " + e.getMessage());
            }
        }
        forgetOthers(kept);
    }

    private static Duration left(long deadline, IOException failure) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw failure;
        }
        return Duration.ofNanos(left);
    }

    private String here(String ref) {
        for (Map.Entry<String, String> prefix : prefixes.entrySet()) {
            if (ref.startsWith(prefix.getKey())) {
                return prefix.getValue() + ref.substring(prefix.getKey().length());
            }
        }
        throw new IllegalArgumentException(ref);
    }

    /** As a fetch of all does that prunes. */
    private void forgetOthers(Set<String> kept) throws IOException {
        for (String prefix : prefixes.values()) {
            for (Ref ref : repository.getRefDatabase().getRefsByPrefix(prefix)) {
                if (!kept.contains(ref.getName())) {
                    RefUpdate gone = repository.updateRef(ref.getName());
                    gone.setForceUpdate(true);
                    gone.delete();
                }
            }
        }
    }
}

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
 * Fetches the refs of the replicas. A ref with missing objects makes the fetch of all refs fail; then the refs are
 * fetched one by one.
 */
final class RefFetcher {
    private static final int MAX_REFS = 8192;

    private final Repository repository;
    private final GitRemote gitRemote;
    private final Map<String, String> prefixes;
    private final List<String> refused = new ArrayList<>();

    /**
     * @param prefixes the ref prefixes of the remote, and the local prefixes that they are fetched to
     */
    RefFetcher(Repository repository, GitRemote gitRemote, Map<String, String> prefixes) {
        this.repository = repository;
        this.gitRemote = gitRemote;
        this.prefixes = Map.copyOf(prefixes);
    }

    /** The refs that the last fetch could not get, a sentence each. */
    List<String> refused() {
        return List.copyOf(refused);
    }

    void fetch(Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        refused.clear();
        List<String> all = new ArrayList<>();
        prefixes.forEach((there, here) -> all.add("+" + there + "*:" + here + "*"));
        try {
            gitRemote.fetch(all, limit);
        } catch (IOException e) {
            fetchOneByOne(deadline, e);
        }
    }

    private void fetchOneByOne(long deadline, IOException failure) throws IOException {
        Map<String, ObjectId> there;
        try {
            there = gitRemote.list(List.copyOf(prefixes.keySet()), timeLeft(deadline, failure));
        } catch (IOException e) {
            throw failure;
        }
        Set<String> kept = new HashSet<>();
        for (Map.Entry<String, ObjectId> ref : there.entrySet()) {
            String name = localName(ref.getKey());
            kept.add(name);
            Ref known = repository.exactRef(name);
            if (kept.size() > MAX_REFS || known != null && ref.getValue().equals(known.getObjectId())) {
                continue;
            }
            try {
                gitRemote.fetch(List.of("+" + ref.getKey() + ":" + name), timeLeft(deadline, failure));
            } catch (IOException e) {
                String replica = name.substring(name.lastIndexOf('/') + 1).replaceAll("[^0-9a-f]", "?");
                refused.add(
                        replica.substring(0, Math.min(8, replica.length())) + " cannot be fetched: " + e.getMessage());
            }
        }
        prune(kept);
    }

    private static Duration timeLeft(long deadline, IOException failure) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw failure;
        }
        return Duration.ofNanos(left);
    }

    private String localName(String ref) {
        for (Map.Entry<String, String> prefix : prefixes.entrySet()) {
            if (ref.startsWith(prefix.getKey())) {
                return prefix.getValue() + ref.substring(prefix.getKey().length());
            }
        }
        throw new IllegalArgumentException(ref);
    }

    /** Deletes the local refs that the remote does not have, as a fetch with pruning does. */
    private void prune(Set<String> kept) throws IOException {
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

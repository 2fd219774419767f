package dev.xmem.git;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the refs of the replicas. A ref with missing objects makes the fetch of all refs fail; then the refs are
 * fetched one by one.
 */
final class RefFetcher {
    private static final int MAX_REFS = 8192;
    private static final Set<RefUpdate.Result> UPDATED = EnumSet.of(
            RefUpdate.Result.NEW, RefUpdate.Result.NO_CHANGE, RefUpdate.Result.FAST_FORWARD, RefUpdate.Result.FORCED);

    private final Repository repository;
    private final GitRemote gitRemote;
    private final Map<String, String> prefixes;
    private final Map<String, IOException> failures = new TreeMap<>();

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
        List<String> refused = new ArrayList<>();
        failures.forEach((name, failure) -> {
            String replica = name.substring(name.lastIndexOf('/') + 1).replaceAll("[^0-9a-f]", "?");
            refused.add(replica.substring(0, Math.min(8, replica.length())) + " cannot be fetched: "
                    + failure.getMessage());
        });
        return refused;
    }

    /** Why the last fetch could not get a ref, so that its local copy may be old; null if it could. */
    @Nullable IOException failure(String localName) {
        return failures.get(localName);
    }

    void fetch(Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        failures.clear();
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
                failures.put(name, e);
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
                    delete(repository, ref.getName());
                }
            }
        }
    }

    /** Deletes a local ref if there is one. */
    static void delete(Repository repository, String name) throws IOException {
        RefUpdate gone = repository.updateRef(name);
        gone.setForceUpdate(true);
        check(name, gone.delete());
    }

    /** Throws an exception if a local ref was not updated, usually since another process holds its lock. */
    static void check(String name, RefUpdate.Result result) throws IOException {
        if (!UPDATED.contains(result)) {
            throw new IOException("the local ref " + name + " cannot be updated (" + result
                    + "); if no git process is running, delete " + name + ".lock");
        }
    }
}

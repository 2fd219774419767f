package dev.xmem.git;

import java.io.IOException;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.FetchResult;
import org.eclipse.jgit.transport.PushResult;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.TrackingRefUpdate;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.jspecify.annotations.Nullable;

/** JGit, in this process; without hooks and prompts. */
final class JGitRemote implements GitRemote {
    private final Repository repository;
    private final URIish remote;
    private final @Nullable String user;
    private final @Nullable String token;

    JGitRemote(Repository repository, String remote, @Nullable String user, @Nullable String token) throws IOException {
        this.repository = repository;
        this.user = user;
        this.token = token;
        try {
            this.remote = new URIish(remote);
        } catch (URISyntaxException e) {
            throw new IOException("the remote is neither a folder nor a URL", e);
        }
    }

    private Transport open(Duration limit) throws IOException {
        try {
            Transport transport = Transport.open(repository, remote);
            transport.setTimeout((int) Math.max(1, Math.min(3600, limit.toSeconds())));
            transport.setTagOpt(TagOpt.NO_TAGS);
            if (token != null) {
                transport.setCredentialsProvider(
                        new UsernamePasswordCredentialsProvider(user == null ? "x-access-token" : user, token));
            }
            return transport;
        } catch (org.eclipse.jgit.errors.NotSupportedException e) {
            throw new IOException("JGit does not support the protocol of this remote; use Transport.GIT", e);
        }
    }

    @Override
    public void fetch(List<String> refspecs, Duration limit) throws IOException {
        try (Transport transport = open(limit)) {
            transport.setRemoveDeletedRefs(true);
            FetchResult result = transport.fetch(
                    NullProgressMonitor.INSTANCE,
                    refspecs.stream().map(RefSpec::new).toList());
            for (TrackingRefUpdate update : result.getTrackingRefUpdates()) {
                RefFetcher.check(update.getLocalName(), update.getResult());
            }
        } catch (TransportException e) {
            if (!String.valueOf(e.getMessage()).contains("Nothing to fetch")) {
                throw e;
            }
        }
    }

    @Override
    public Map<String, ObjectId> list(List<String> prefixes, Duration limit) throws IOException {
        Map<String, ObjectId> refs = new TreeMap<>();
        try (Transport transport = open(limit);
                FetchConnection connection = transport.openFetch()) {
            for (Ref ref : connection.getRefs()) {
                ObjectId id = ref.getObjectId();
                if (id != null && prefixes.stream().anyMatch(ref.getName()::startsWith)) {
                    refs.put(ref.getName(), id);
                }
            }
        }
        return refs;
    }

    @Override
    public Pushed push(String ref, @Nullable ObjectId expected, ObjectId next, Duration limit) throws IOException {
        try (Transport transport = open(limit)) {
            RemoteRefUpdate update = new RemoteRefUpdate(
                    repository, next.name(), next, ref, true, null, expected == null ? ObjectId.zeroId() : expected);
            PushResult result = transport.push(NullProgressMonitor.INSTANCE, List.of(update));
            RemoteRefUpdate done = result.getRemoteUpdate(ref);
            String message = String.valueOf(done == null ? "" : done.getMessage());
            return switch (done == null ? RemoteRefUpdate.Status.NOT_ATTEMPTED : done.getStatus()) {
                case OK, UP_TO_DATE -> Pushed.DONE;
                case REJECTED_REMOTE_CHANGED, REJECTED_NONFASTFORWARD -> Pushed.STALE;
                case REJECTED_OTHER_REASON -> rejected(message);
                default -> throw new IOException("push: " + Map.of("status", String.valueOf(done), "said", message));
            };
        }
    }

    private static Pushed rejected(String message) throws IOException {
        if (message.contains("lock") || message.contains("already exists")) {
            return Pushed.STALE;
        }
        if (message.contains("declined")) {
            throw new IOException("push: " + message);
        }
        return Pushed.REFUSED;
    }
}

package dev.xmem.core.maintain.compact;

import static dev.xmem.core.answer.search.Stores.ids;

import dev.xmem.CompactionReport;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store with something to compact, and what tests do with it. */
abstract class CompactionFixture {
    static final Retention DEFAULTS = Retention.defaults();

    @TempDir
    Path directory;

    @BeforeEach
    void nameTheHasher() throws IOException {
        Files.createDirectories(directory.resolve(".xmem"));
        Files.writeString(directory.resolve(".xmem/hashers"), XMem.hasher().id() + '\n');
    }

    static String failure(String id, String ts, String more) {
        return ("{'id':'%s','ts':'%s','type':'tool_failure','tool':'git','action':'push','error':'rejected','tags':['vcs'],"
                        + "'ctx_hash':'git-push-rejected'%s}")
                .formatted(id, ts, more.isEmpty() ? "" : "," + more);
    }

    void hot(String... lines) {
        Stores.append(directory, "failures.jsonl", lines);
    }

    XMemStore open() {
        return Stores.in(directory);
    }

    String read(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> all(XMemStore store) {
        return ids(store.search(Query.all().order(Query.Order.NEWEST)));
    }

    static CompactionReport compact(XMemStore store, Retention retention) {
        return store.compact(store.planCompaction(retention));
    }

    void hotTrio() {
        hot(
                failure("2026-02-10-001", "2026-02-10T10:00:00Z", "'tried_also':['a'],'notes':'n1','session_id':'s1'"),
                failure(
                        "2026-02-11-001",
                        "2026-02-11T10:00:00Z",
                        "'pattern_avoid':'p1','tried_also':['b'],'block_level':'critical','session_id':'s2'"),
                failure(
                        "2026-02-12-001",
                        "2026-02-12T10:00:00Z",
                        "'pattern_avoid':'p2','notes':'n2','session_id':'s3','x':{'kept':1}"));
    }
}

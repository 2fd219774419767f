package dev.xmem.mcp;

import static dev.xmem.Entry.Kind.FAILURE;
import static dev.xmem.Entry.Kind.SUCCESS;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.HashInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Detects a call that worked after a similar call of the same session had failed, and records it as the answer to that
 * failure. A {@code ToolGuard} detects such pairs, but only within its process, and each hook event is a process of its
 * own. So the session's failures are read from the store and replayed into the guard of an in-memory store, followed by
 * the successful call; the pairs that this guard records are copied.
 */
final class RetryDetector {
    private static final int CALLS = 10;
    private static final Duration RECENT = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final XMemStore store;

    RetryDetector(XMemStore store) {
        this.store = store;
    }

    /** Records the call as the answer to the failures it retries, if any. */
    void worked(ToolCall call) {
        List<Failure> open = call.session() == null ? List.of() : unanswered(call, call.session());
        if (open.isEmpty()) {
            return;
        }
        try (XMemStore replayed = XMem.inMemoryBuilder().guardLimit(LIMIT).open()) {
            Map<String, Failure> originals = new HashMap<>();
            for (Failure failure : open) {
                long before = replayed.stats().failures();
                replayed.guard()
                        .failed(
                                ToolCall.json(failure.tool(), failure.action()).session(call.session()),
                                ToolError.exit(1, failure.error()));
                replayed.flush();
                if (replayed.stats().failures() > before) {
                    originals.put(newest(replayed).id(), failure);
                }
            }
            replayed.guard().succeeded(call);
            replayed.flush();
            entries(replayed, Success.class, Query.all().kind(SUCCESS)).forEach(pair -> record(pair, originals, call));
        }
    }

    private void record(Success pair, Map<String, Failure> originals, ToolCall call) {
        Failure failure = originals.get(pair.answers().get(0));
        if (failure != null) {
            store.recordSuccess(Success.of(pair.tool(), pair.patternName())
                    .action(call.action())
                    .signature(XMem.hasher()
                            .hash(HashInput.of(failure.tool(), failure.action()).error(failure.error(), 1))
                            .pattern())
                    .keySteps(pair.keySteps().toArray(String[]::new))
                    .criticalParams(pair.criticalParams())
                    .tags("retry")
                    .answers(failure.id())
                    .sessionId(String.valueOf(call.session())));
        }
    }

    /** The failures of this session and tool that have no answer yet, oldest first. */
    private List<Failure> unanswered(ToolCall call, String session) {
        Instant now = Instant.now();
        Query recent = Query.all().session(session).between(now.minus(RECENT), now.plus(RECENT));
        List<Failure> failures = new ArrayList<>(
                entries(store, Failure.class, recent.kind(FAILURE).tool(call.tool())));
        if (!failures.isEmpty()) {
            Set<String> answered = new HashSet<>();
            entries(store, Success.class, recent.kind(SUCCESS)).forEach(pair -> answered.addAll(pair.answers()));
            failures.removeIf(failure -> answered.contains(failure.id()));
            Collections.reverse(failures);
        }
        return failures;
    }

    private static Entry newest(XMemStore store) {
        return entries(store, Failure.class, Query.all().kind(FAILURE)).get(0);
    }

    private static <T extends Entry> List<T> entries(XMemStore store, Class<T> type, Query query) {
        return store.search(query.order(Query.Order.NEWEST).limit(CALLS)).matches().stream()
                .map(Match::entry)
                .map(type::cast)
                .toList();
    }
}

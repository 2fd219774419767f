package dev.xmem.transcripts;

import dev.xmem.Advice;
import java.util.List;

/** A failed call, as the guard judged it. */
record FailedCall(PastCall call, long key, String family, Advice advice) {
    List<String> group() {
        return List.of(call.session(), family);
    }
}

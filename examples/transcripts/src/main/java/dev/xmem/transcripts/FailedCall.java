package dev.xmem.transcripts;

import dev.xmem.Advice;
import dev.xmem.core.XMem;
import dev.xmem.spi.HashInput;
import java.util.List;

/** A failed call, as the guard judged it. */
record FailedCall(PastCall call, long key, String family, Advice advice) {
    /** The session, the family and the operation, which most families do not tell. */
    List<String> group() {
        return List.of(
                call.session(),
                family,
                operation(call.call().tool(), call.call().action()));
    }

    /** The operation of a call, whatever its result. */
    static String operation(String tool, String action) {
        return XMem.hasher().hash(HashInput.of(tool, action)).value();
    }
}

package dev.xmem.transcripts;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call of the past, with its result. Refused and interrupted calls are not among them: nothing was run.
 *
 * @param agent the agent that wrote the transcript, such as {@code claude}
 * @param session the id of its session
 * @param id the agent's id of the call, or its session and place; unique among all calls of the agent
 * @param time when its result was written
 * @param folder the working directory; null if unknown
 * @param result the result, whose exit code is null if the transcript has none; null for a call that succeeded and
 *     whose output says nothing about it, such as a file that was read
 * @param lesson what to do instead, if the transcript says so
 */
public record PastCall(
        String agent,
        String session,
        String id,
        Instant time,
        @Nullable String folder,
        ToolCall call,
        @Nullable ToolError result,
        @Nullable String lesson) {}

package dev.xmem.core.adapters;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A guard with one lesson that keeps the calls reported to it. The first verdict on a call id counts. */
final class ScriptedGuard implements ToolGuard {
    final List<String> reported = new ArrayList<>();
    private final List<String> judged = new ArrayList<>();
    private final String lesson;

    ScriptedGuard(String lesson) {
        this.lesson = lesson;
    }

    @Override
    public Advice before(ToolCall call) {
        return new ScriptedAdvice("");
    }

    @Override
    public Advice failed(ToolCall call, ToolError error) {
        tell(
                "failed",
                call,
                " exit=" + error.exitCode() + " "
                        + error.text().lines().findFirst().orElse(""));
        return new ScriptedAdvice("\n" + lesson);
    }

    @Override
    public Advice recall(ToolCall call, ToolError error) {
        return new ScriptedAdvice("\n" + lesson);
    }

    @Override
    public void succeeded(ToolCall call) {
        tell("succeeded", call, "");
    }

    @Override
    public Advice userSaid(String session, String message) {
        return new ScriptedAdvice("");
    }

    private void tell(String verdict, ToolCall call, String how) {
        String id = call.callId();
        if (id == null || !judged.contains(id)) {
            judged.add(String.valueOf(id));
            reported.add(verdict + " " + call.tool() + " " + call.action() + how);
        }
    }

    private record ScriptedAdvice(String text) implements Advice {
        @Override
        public Status status() {
            return text.isEmpty() ? Status.NOTHING_RELEVANT : Status.FOUND;
        }

        @Override
        public List<Match> matches() {
            return List.of();
        }

        @Override
        public Failure.BlockLevel level() {
            return Failure.BlockLevel.WARNING;
        }

        @Override
        public int tokens() {
            return text.length() / 4;
        }

        @Override
        public String reason() {
            return "scripted";
        }

        @Override
        public @Nullable String recordedId() {
            return null;
        }
    }
}

package dev.xmem.core.agent.command;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The question that each session was asked last and has not answered, of at most 1,000 sessions. Thread-safe. */
final class OpenQuestions {
    private static final int MAX_SESSIONS = 1000;

    private final Map<String, Question> open = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Question> eldest) {
            return size() > MAX_SESSIONS;
        }
    });

    /**
     * A question.
     *
     * @param anyText whether every text answers it; otherwise only some do, and it stays open until one comes
     * @param answer handles an answer; returns null for a text that is none
     */
    private record Question(boolean anyText, Function<String, @Nullable CommandResult> answer) {}

    /** Opens a question that only some texts answer. It replaces the session's last one. */
    void offer(String session, Function<String, @Nullable CommandResult> answer) {
        open.put(session, new Question(false, answer));
    }

    /** Opens a question that the session's next text answers, unless it is a command. */
    void ask(String session, Function<String, @Nullable CommandResult> answer) {
        open.put(session, new Question(true, answer));
    }

    boolean isOpen(String session) {
        return open.containsKey(session);
    }

    void close(String session) {
        open.remove(session);
    }

    /** Ends a question that every text would answer, because the session has given another command instead. */
    void interrupted(String session) {
        Question question = open.get(session);
        if (question != null && question.anyText) {
            open.remove(session, question);
        }
    }

    /** Answers the session's question; null if it has none, or the text is no answer to it. */
    @Nullable CommandResult answered(String text, String session) {
        Question question = open.remove(session);
        if (question == null) {
            return null;
        }
        CommandResult result = null;
        boolean handled = false;
        try {
            result = question.answer.apply(text);
            handled = result != null;
        } finally {
            if (!handled) {
                open.putIfAbsent(session, question);
            }
        }
        return result;
    }
}

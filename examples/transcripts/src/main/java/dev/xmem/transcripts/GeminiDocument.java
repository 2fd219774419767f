package dev.xmem.transcripts;

import java.util.Map;
import java.util.Set;

/** The first generation of Gemini CLI's transcripts: one document with the messages that {@link GeminiFormat} reads. */
final class GeminiDocument extends DocumentFormat {
    private final GeminiFormat messages = new GeminiFormat();

    @Override
    Set<String> skipped() {
        return messages.skipped();
    }

    @Override
    String steps() {
        return "messages";
    }

    @Override
    void member(String name, Object value, CallCollector out) {
        if (value instanceof String text && name.equals("sessionId")) {
            out.in(text, "");
        } else if (name.equals("startTime")) {
            out.at(value);
        }
    }

    @Override
    void step(long number, Map<String, Object> message, CallCollector out) {
        messages.message(message, out);
    }
}

package dev.xmem.transcripts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What mini-SWE-agent prints on a terminal, as Terminal-Bench keeps it in {@code agent.log}: the messages of the model
 * and the replies that it got, between control sequences. The terminal folds long lines, so that a command may have a
 * line break too many. Last verified on 2026-11-23 with version 1.8.
 */
final class MiniSweAgentLog extends CollectedTranscript {
    private static final int MAX_LINE_BYTES = 1 << 16;
    private static final int MAX_MESSAGE_CHARS = 1 << 20;
    private static final Pattern CONTROL =
            Pattern.compile("\\x1b(?:\\[[0-9;?]*+[A-Za-z]|\\][^\\x07\\x1b]*+(?:\\x07|\\x1b\\\\)|[()][A-Z0-9]|[=>])");
    private static final Pattern STEP = Pattern.compile("mini-swe-agent \\(step \\d{1,9}, \\$[\\d.]{1,20}\\):");
    private static final String REPLY = "User:";
    private static final String RULE = "─".repeat(20);

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private final byte[] line = new byte[MAX_LINE_BYTES];
    private final MiniSweAgentFormat format = new MiniSweAgentFormat();
    private final StringBuilder message = new StringBuilder();
    private int position;
    private int limit;
    private long number;
    private @Nullable String role;

    MiniSweAgentLog(InputStream in, CallCollector calls) {
        super(calls, in);
        this.in = in;
    }

    @Override
    boolean advance() throws IOException {
        String next = readLine();
        if (next == null) {
            endMessage(null);
            calls.end();
            return false;
        } else if (STEP.matcher(next).matches()) {
            endMessage("assistant");
        } else if (next.equals(REPLY) && "assistant".equals(role)) {
            endMessage("user");
        } else if (role != null && message.length() < MAX_MESSAGE_CHARS && !next.startsWith(RULE)) {
            message.append(next).append('\n');
        }
        return true;
    }

    private void endMessage(@Nullable String nextRole) {
        if (role != null) {
            format.step(++number, Map.of("role", role, "content", message.toString()), calls);
        }
        role = nextRole;
        message.setLength(0);
    }

    /** The next line as the terminal shows it at last; null at the end. */
    private @Nullable String readLine() throws IOException {
        int length = 0;
        while (true) {
            if (position == limit) {
                limit = in.read(buffer);
                position = 0;
                if (limit < 0) {
                    limit = 0;
                    return length == 0 ? null : shown(length);
                }
                calls.counts.bytes += limit;
            }
            byte next = buffer[position++];
            if (next == '\n') {
                calls.counts.lines++;
                return shown(length);
            }
            if (length < MAX_LINE_BYTES) {
                line[length++] = next;
            }
        }
    }

    private String shown(int length) {
        String text = CONTROL.matcher(new String(line, 0, length, StandardCharsets.UTF_8))
                .replaceAll("");
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\r') {
            end--;
        }
        return text.substring(text.lastIndexOf('\r', end - 1) + 1, end);
    }
}

package dev.xmem.core.text.hash;

import java.util.List;

/** Changes the ranks of lines by the lines that stand above and below them. */
final class LinesBeside {
    private static final int MAX_WARNING_LINES = 6;

    private static final PrefixSet CALL_LOGS = new PrefixSet(SalientLines.prefixes("call-log"));
    private static final PrefixSet STEPS = new PrefixSet(SalientLines.prefixes("call-log-step"));

    /** A field of an exception that Node.js prints below its frames. */
    private static final LiteralPattern PROPERTY = new LiteralPattern("\\w{1,30}: ['\\d]");

    private static final LiteralPattern TAG = new LiteralPattern("<[^<>]{1,200}>");

    private final List<ScoredLine> lines;

    LinesBeside(List<ScoredLine> lines) {
        this.lines = lines;
    }

    /** Reads lines that are ranked one by one. */
    void read() {
        for (int i = 0; i < lines.size(); i++) {
            continueAt(i);
            readWarning(i);
            readCallLog(i);
            readLog(i);
            readStatus(i);
        }
        readBullets();
        readFrames();
    }

    /** The first frame of a library of a service tells who answered with a status. */
    private void readFrames() {
        boolean told = false;
        for (ScoredLine line : lines) {
            AnswerLine answer = line.rank > SalientLines.NOISE ? line.answer() : null;
            told |= answer != null && answer.status() != null;
            if (told && line.rank == SalientLines.NOISE && HostNames.frame(line.text) != null) {
                line.rank = SalientLines.TRAILER;
                return;
            }
        }
    }

    /** Below a bullet stands what its heading is about: the innermost one of a chain tells the cause. */
    private void readBullets() {
        ScoredLine inner = null;
        int depth = -1;
        int level = 0;
        for (ScoredLine line : lines) {
            int indent = line.raw.length() - line.raw.stripLeading().length();
            if (line.raw.startsWith("> ", indent)) {
                inner = depth >= 0 && indent > 0 && indent >= depth ? line : null;
                depth = indent;
                level = inner == null ? 0 : Math.min(level + 1, SalientLines.EXCEPTION - SalientLines.FATAL - 1);
                if (inner != null && inner.hit() != null) {
                    inner.rank = Math.max(inner.rank, SalientLines.FATAL + level);
                }
            } else if (line.raw.startsWith("● ", indent)) {
                depth = -1;
                inner = line;
            } else if (inner == null || indent <= inner.raw.indexOf('●')) {
                inner = null;
                depth = indent == 0 ? -1 : depth;
            } else if (line.rank > SalientLines.NOISE && line.hit() != null && inner.raw.indexOf('●') >= 0) {
                line.rank = Math.max(line.rank, SalientLines.FATAL);
                inner = null;
            }
        }
    }

    /** In the log of a call, the last line that is no progress is the cause. */
    private void readCallLog(int at) {
        if (!CALL_LOGS.matches(lines.get(at).text)) {
            return;
        }
        ScoredLine cause = null;
        for (int i = at + 1; i < lines.size(); i++) {
            ScoredLine line = lines.get(i);
            int bullet = line.text.startsWith("- ") ? 2 : 0;
            if (!line.indented && bullet == 0
                    || line.text.startsWith("at ")
                    || PROPERTY.matcher(line.text).lookingAt()) {
                break;
            }
            String step = line.text.substring(bullet).strip();
            line.rank = SalientLines.NOISE;
            if (!step.isEmpty() && !STEPS.matches(step) && !CharClasses.isDigit(step.charAt(0))) {
                cause = line;
                cause.message = TAG.matcher(step).replaceAll("");
            }
        }
        if (cause != null) {
            lines.get(at).rank = SalientLines.TRAILER;
            cause.rank = SalientLines.CAUSE;
            cause.answerWith(cause.message);
        }
    }

    /** The message of a warning of Python ends above the code that warns, which is indented. */
    private void readWarning(int at) {
        ScoredLine line = lines.get(at);
        if (line.rank > SalientLines.WARNING || !line.text.contains("Warning: ") || !line.text.contains(".py:")) {
            return;
        }
        int code = at + 1;
        int limit = Math.min(lines.size(), at + MAX_WARNING_LINES);
        while (code < limit && !lines.get(code).indented && lines.get(code).rank < SalientLines.EXCEPTION) {
            code++;
        }
        for (int i = at + 1; i < code && code < limit && lines.get(code).indented; i++) {
            lines.get(i).rank = SalientLines.NOISE;
        }
    }

    /** A line that only reports a status is less than the answer, which is another line or the one below. */
    private void readStatus(int at) {
        ScoredLine line = lines.get(at);
        if (line.rank < SalientLines.TRAILER
                || lines.size() == 1
                || line.text.startsWith("HTTP ")
                || !AnswerWords.isBare(line)) {
            return;
        }
        ScoredLine below = at + 1 < lines.size() ? lines.get(at + 1) : line;
        if (below.rank > SalientLines.NOISE
                && below.rank < SalientLines.DIAGNOSTIC
                && !below.indented
                && below != line) {
            below.rank = SalientLines.DIAGNOSTIC;
        }
        line.rank = SalientLines.TRAILER;
    }

    /** A line of a log whose message only repeats that something failed is the heading of what follows it. */
    private void readLog(int at) {
        if (!LogLine.isLogged(lines.get(at))) {
            return;
        }
        ScoredLine line = lines.get(at);
        if (LogLine.isQuiet(line.text)) {
            line.rank = SalientLines.NOISE;
        } else if (at + 1 < lines.size() && !LogLine.isLogged(lines.get(at + 1)) && !lines.get(at + 1).indented) {
            line.rank = LogLine.isHeading(line.text) && lines.get(at + 1).rank > SalientLines.NOISE
                    ? SalientLines.WARNING
                    : line.rank;
        }
    }

    /** Whether the line reports an exception without its class or cause, and the line below has the rest of it. */
    private boolean isPart(int at) {
        ScoredLine line = lines.get(at);
        boolean thrown = line.rank == SalientLines.CAUSE || line.text.startsWith("Exception in thread \"");
        ScoredLine below = at + 1 < lines.size() ? lines.get(at + 1) : line;
        boolean rest = below.rank > SalientLines.NOISE
                && below.rank < SalientLines.EXCEPTION
                && !below.indented
                && below.exception() == null;
        rest = rest && SalientLines.LEVELS.match(below.raw, 0) < 0;
        return (thrown || line.rank == SalientLines.EXCEPTION && line.exception() != null)
                && rest
                && line.hit() == null;
    }

    /** Joins a line that ends in a colon with the next line that is not noise. */
    private void continueAt(int at) {
        ScoredLine line = lines.get(at);
        String text = line.text;
        boolean open = text.length() < 160 && (line.message.endsWith(":") || text.startsWith("Err:"));
        boolean part = isPart(at);
        if (!part
                && (!open
                        || line.rank < SalientLines.TRAILER
                        || line.rank == SalientLines.EXCEPTION && !text.startsWith("thread '"))) {
            return;
        }
        for (int i = at + 1; i < lines.size(); i++) {
            ScoredLine next = lines.get(i);
            if (next.rank > SalientLines.NOISE) {
                next.rank = Math.max(next.rank, Math.min(line.rank, SalientLines.FATAL) - 1);
                line.continueWith(next);
                return;
            }
        }
    }
}

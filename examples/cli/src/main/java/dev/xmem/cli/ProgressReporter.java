package dev.xmem.cli;

import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reports progress on stderr once per second, from the third second on; a shorter operation reports nothing. */
final class ProgressReporter implements AutoCloseable {
    private static final int FIRST_SECONDS = 3;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Terminal terminal;
    private final String what;
    private final boolean json;
    private volatile long lines;

    private ProgressReporter(Terminal terminal, String what, boolean json) {
        this.terminal = terminal;
        this.what = what;
        this.json = json;
    }

    static ProgressReporter of(Terminal terminal, String what, boolean json) {
        ProgressReporter progress = new ProgressReporter(terminal, what, json);
        Thread reporter = new Thread(progress::report, "xmem-progress");
        reporter.setDaemon(true);
        reporter.start();
        return progress;
    }

    /** Sets the number of lines processed so far. */
    void lines(long done) {
        lines = done;
    }

    @Override
    public void close() {
        ended.countDown();
    }

    private void report() {
        try {
            for (int seconds = 1; !ended.await(1, TimeUnit.SECONDS); seconds++) {
                if (seconds >= FIRST_SECONDS) {
                    String count =
                            lines == 0 ? "" : String.format(Locale.ROOT, ", %,d line%s", lines, lines == 1 ? "" : "s");
                    terminal.progress(json, what + ": " + seconds + " s" + count);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

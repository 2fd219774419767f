package dev.xmem.cli;

import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells on stderr, every second, how far something is that takes longer than one. */
final class Progress implements AutoCloseable {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Terminal terminal;
    private final String what;
    private final boolean json;
    private volatile long lines;

    private Progress(Terminal terminal, String what, boolean json) {
        this.terminal = terminal;
        this.what = what;
        this.json = json;
    }

    static Progress of(Terminal terminal, String what, boolean json) {
        Progress progress = new Progress(terminal, what, json);
        Thread teller = new Thread(progress::tell, "xmem-progress");
        teller.setDaemon(true);
        teller.start();
        return progress;
    }

    /** So many lines are done. */
    void lines(long done) {
        lines = done;
    }

    @Override
    public void close() {
        ended.countDown();
    }

    private void tell() {
        try {
            for (int seconds = 1; !ended.await(1, TimeUnit.SECONDS); seconds++) {
                String count = lines == 0 ? "" : String.format(Locale.ROOT, ", %,d line%s", lines, lines == 1 ? "" : "s");
                terminal.progress(json, what + ": " + seconds + " s" + count);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

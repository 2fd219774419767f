package dev.xmem.core.answer.search;

import dev.xmem.Entry;
import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

/** A journal that a test writes and scans. */
abstract class JournalFixture {
    @TempDir
    Path folder;

    Path journal() {
        return folder.resolve("memory.jsonl");
    }

    XMemStore open() {
        return XMem.builder(folder.resolve("store"))
                .log(Entry.Kind.NOTE, journal())
                .clock(InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z")))
                .open();
    }

    void write(String text) {
        try {
            Files.writeString(journal(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String note(String content) {
        return "{\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"note\",\"content\":\"" + content
                + "\",\"tags\":null,\"meta\":null}";
    }

    void notes(String... contents) {
        for (String content : contents) {
            write(note(content) + "\n");
        }
    }

    ScanResult scan(Scan scan) {
        try (XMemStore store = open()) {
            return store.scan(scan);
        }
    }
}

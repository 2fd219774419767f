package dev.xmem.core.answer.search;

import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.Page;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/** Stores with a fixed clock. */
public final class Stores {
    /** The time of the clock. */
    public static final Instant NOW = Instant.parse("2026-02-14T12:00:00Z");

    private Stores() {}

    /** An in-memory store. */
    public static XMemStore inMemory() {
        return XMem.inMemoryBuilder().clock(InstantSource.fixed(NOW)).open();
    }

    /** A store in a directory. */
    public static XMemStore in(Path directory) {
        return XMem.builder(directory).clock(InstantSource.fixed(NOW)).open();
    }

    /** Records entries given as JSON, with single quotes for double ones, and returns their ids. */
    public static List<String> record(XMemStore store, String... lines) {
        List<JsonDraft> drafts = Arrays.stream(lines)
                .map(line -> JsonDraft.of(line.replace('\'', '"')))
                .toList();
        return store.recordAll(drafts).stream().map(Entry::id).toList();
    }

    /** Appends lines to a log of a store, as another program does, with single quotes for double ones. */
    public static void append(Path directory, String log, String... lines) {
        appendRaw(directory, log, (String.join("\n", lines) + "\n").replace('\'', '"'));
    }

    /** Appends a text to a log unchanged. */
    public static void appendRaw(Path directory, String log, String text) {
        try {
            Path data = Files.createDirectories(directory.resolve("data"));
            Files.writeString(data.resolve(log), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The ids on a page, in its order. */
    public static List<String> ids(Page page) {
        return page.matches().stream().map(match -> match.entry().id()).toList();
    }
}

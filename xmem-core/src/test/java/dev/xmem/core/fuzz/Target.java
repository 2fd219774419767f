package dev.xmem.core.fuzz;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.Resources;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** A target that takes any bytes and may answer, or throw one of the store's own exceptions, but nothing else. */
enum Target {
    /** A line of a log, taken apart in every way. */
    LINE {
        @Override
        void read(byte[] bytes) {
            for (Entry.Kind kind : KINDS) {
                try {
                    IndexedFields facts = LineCodec.indexedFields(kind, bytes, 0, bytes.length);
                    require(facts.tags() != null, "tags");
                    LineCodec.fields(bytes);
                    LineCodec.texts(bytes, false, (field, text) -> true);
                } catch (MalformedLineException e) {
                    require(!String.valueOf(e.getMessage()).isBlank(), "a reason");
                }
            }
        }
    },
    /** A log of a store that is searched, added to and verified. */
    LOG {
        @Override
        void read(byte[] bytes) {
            for (String log : List.of("failures.jsonl", "memories.ndjson")) {
                InMemoryFileSystem disk = new InMemoryFileSystem();
                disk.replace(DIRECTORY.resolve("data").resolve(log), bytes);
                try (XMemStore store = open(disk)) {
                    for (Match match : store.search(Query.all()).matches()) {
                        require(!match.entry().id().isEmpty(), "an id");
                    }
                    Failure own = store.recordFailure(Failure.of("git", "push", "own"));
                    require(store.find(own.id()).isPresent(), "what was just recorded");
                    store.search(Query.words("own"));
                    require(!store.stats().text().isEmpty(), "a text");
                    store.verify();
                }
            }
        }
    },
    /** A query as a user types it, and its answer. */
    QUERY {
        @Override
        void read(byte[] bytes) {
            try {
                Query query = Query.parse(text(bytes));
                STORE.search(query);
            } catch (XMemException.Syntax e) {
                require(!String.valueOf(e.getMessage()).isBlank(), "a reason");
            }
        }
    },
    /** A slash command as a user types it. */
    COMMAND {
        @Override
        void read(byte[] bytes) {
            try (XMemStore store = open(new InMemoryFileSystem())) {
                SlashCommands commands = SlashCommands.on(store);
                for (String line : text(bytes).split("\0", 4)) {
                    require(!commands.execute(line, "a session").text().isEmpty(), "an answer");
                }
            }
        }
    },
    /** An entry that a peer published. */
    DRAFT {
        @Override
        void read(byte[] bytes) {
            try (XMemStore store = open(new InMemoryFileSystem())) {
                Entry entry =
                        store.recordAll(List.of(JsonDraft.of(text(bytes)))).get(0);
                require(store.find(entry.id()).isPresent(), "what was just recorded");
                LineCodec.fields(entry.json().getBytes(StandardCharsets.UTF_8));
            } catch (XMemException.Invalid | XMemException.Limit | XMemException.DuplicateId | XMemException.Secret e) {
                require(!String.valueOf(e.getMessage()).isBlank(), "a reason");
            } catch (MalformedLineException e) {
                throw new AssertionError("what was stored cannot be read", e);
            }
        }
    },
    /** index.json and the files of this machine, with any content. */
    INDEX {
        @Override
        void read(byte[] bytes) {
            InMemoryFileSystem disk = new InMemoryFileSystem();
            disk.replace(DIRECTORY.resolve("data/failures.jsonl"), LINE_OF_A_LOG.getBytes(StandardCharsets.UTF_8));
            for (String file : List.of(
                    "data/index.json",
                    ".xmem/index-state.json",
                    ".xmem/seals.ndjson",
                    ".xmem/spent-numbers.json",
                    ".xmem/hashers")) {
                disk.replace(DIRECTORY.resolve(file), bytes);
            }
            try (XMemStore store = open(disk)) {
                require(store.verify().lines() == 1, "the line");
                store.flush();
                require(store.find("2026-02-14-001").isPresent(), "the entry");
                require(!store.recordFailure(Failure.of("git", "x", "y")).id().equals("2026-02-14-001"), "a new id");
            }
        }
    },
    /** The segments of a store, with any content and correct checksums. */
    SEGMENT {
        @Override
        void read(byte[] bytes) {
            boolean newest = bytes.length > 0 && (bytes[0] & 0x80) != 0;
            (newest ? SEALED_AT_CLOSE : SEALED_SEGMENTS).read(bytes);
        }
    };

    private static final Path DIRECTORY = Path.of("/store");
    private static final List<Entry.Kind> KINDS =
            List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS, Entry.Kind.DIRECTIVE, Entry.Kind.NOTE);
    private static final String LINE_OF_A_LOG = "{\"id\":\"2026-02-14-001\",\"ts\":\"2026-02-14T16:30:00Z\","
            + "\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"x\",\"ctx_hash\":\"git-x\"}\n";
    private static final Resources RESOURCES = Resources.of(
            task -> {
                throw new RejectedExecutionException();
            },
            1 << 20);
    private static final XMemStore STORE = searched();

    private static final SealedStore SEALED_SEGMENTS = new SealedStore(
            DIRECTORY,
            40,
            disk -> TestStores.withSegmentLines(builder(disk), 16).open());
    private static final SealedStore SEALED_AT_CLOSE =
            new SealedStore(DIRECTORY, 300, disk -> builder(disk).open());

    /** Reads it; throws whatever must not be thrown. */
    abstract void read(byte[] bytes);

    private static XMemStore open(InMemoryFileSystem disk) {
        return builder(disk).open();
    }

    private static XMem.Builder builder(InMemoryFileSystem disk) {
        return TestStores.builder(DIRECTORY, disk)
                .clock(InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z")))
                .resources(RESOURCES)
                .durability(Durability.OS);
    }

    private static XMemStore searched() {
        XMemStore store = open(new InMemoryFileSystem());
        store.recordFailure(
                Failure.of("git", "push", "fatal: the branch has no upstream").tags("git", "push"));
        store.recordFailure(Failure.of("npm", "install left-pad", "npm ERR! code ETIMEDOUT"));
        return store;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("missing: " + what);
        }
    }
}

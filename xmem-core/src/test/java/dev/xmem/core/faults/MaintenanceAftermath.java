package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares a store after an interrupted compaction, purge or restore with the store before. */
final class MaintenanceAftermath {
    private static final Pattern MARK = Pattern.compile("\\bm(\\d+)m\\b");
    private static final Set<String> FAMILIES =
            Set.of("2025-10-01-001", "2025-10-02-001", "2026-02-10-001", "2026-02-11-001", "2026-02-12-001");

    /** What was done to the store. */
    enum Done {
        COMPACT,
        PURGE,
        RESTORE
    }

    private final Map<String, String> original;
    private final Set<String> others;
    private final Caller caller;
    private final Done what;
    private final boolean acknowledged;
    private int checked;

    /**
     * The promises.
     *
     * @param original the line of each id of {@link MaintenanceFileSystem#grown}
     * @param others the ids of what else is shown from the beginning
     * @param acknowledged whether the call returned
     */
    MaintenanceAftermath(
            Map<String, String> original, Set<String> others, Caller caller, Done what, boolean acknowledged) {
        this.original = original;
        this.others = others;
        this.caller = caller;
        this.what = what;
        this.acknowledged = acknowledged;
    }

    /** How many acknowledged entries were looked for and found. */
    int checked() {
        return checked;
    }

    /** Fails with a description of the violation. The same promises about the same bytes are checked once. */
    void check(ModelFileSystem disk, ModelFileSystem before, Set<String> seen) {
        if (!seen.add(state(disk))) {
            return;
        }
        for (String log : List.of("notes.jsonl", "memories.ndjson")) {
            Path file = Caller.DIRECTORY.resolve("data").resolve(log);
            assertThat(disk.bytes(file)).as(log).startsWith(before.bytes(file));
        }
        assertThat(text(disk, file -> !file.toString().contains("backup"))).contains(MaintenanceFileSystem.BROKEN);
        if (what == Done.PURGE && acknowledged) {
            for (String id : MaintenanceFileSystem.TO_PURGE) {
                assertThat(text(disk, file -> true)).doesNotContain(MaintenanceFileSystem.text(id));
            }
        }
        goesOn(disk);
    }

    private String state(ModelFileSystem disk) {
        StringBuilder state = new StringBuilder(what + " " + acknowledged);
        for (Caller.Batch batch : caller.batches) {
            state.append(batch.marks).append(batch.acknowledged != null);
        }
        disk.files()
                .forEach((file, bytes) -> state.append('\n')
                        .append(file)
                        .append('\n')
                        .append(new String(bytes, StandardCharsets.ISO_8859_1)));
        return state.toString();
    }

    private interface Which {
        boolean is(Path file);
    }

    private static String text(ModelFileSystem disk, Which which) {
        StringBuilder text = new StringBuilder();
        disk.files().forEach((file, bytes) -> {
            if (which.is(file)) {
                text.append(new String(bytes, StandardCharsets.UTF_8)).append('\n');
            }
        });
        return text.toString();
    }

    /** What the next process sees; and after it has recorded and compacted, the one after that. */
    private void goesOn(ModelFileSystem disk) {
        Caller next = new Caller(Durability.OS);
        next.open(disk);
        Set<String> ids;
        try (XMemStore store = next.store()) {
            ids = new HashSet<>(look(store, acknowledged && what == Done.RESTORE));
            Failure after = store.recordFailure(Failure.of("rclone", "copy", "afterwards"));
            assertThat(ids.add(after.id())).as("a new id: " + after.id()).isTrue();
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(look(store, false)).isEqualTo(ids);
            assertThat(store.planCompaction(Retention.defaults()).isEmpty()).isTrue();
        }
        next.open(disk);
        try (XMemStore store = next.store()) {
            assertThat(look(store, false)).isEqualTo(ids);
            assertThat(store.verify().findings()).noneMatch(finding -> finding.contains("is also in"));
        }
    }

    /** Returns the ids of all that is shown. */
    private Set<String> look(XMemStore store, boolean asItWas) {
        Shown shown = new Shown(store);
        Set<String> allowed = new HashSet<>(others);
        others.forEach(id -> shown.required(store, id));
        original.forEach((id, line) -> {
            boolean toPurge = what == Done.PURGE && MaintenanceFileSystem.TO_PURGE.contains(id);
            boolean along = what == Done.PURGE && MaintenanceFileSystem.GO_ALONG.contains(id);
            if (acknowledged && toPurge) {
                assertThat(store.find(id)).as("purged").isEmpty();
                return;
            }
            allowed.add(id);
            if (!toPurge && !along || shown.ids().contains(id)) {
                Entry entry = shown.required(store, id);
                if (asItWas || !FAMILIES.contains(id)) {
                    assertThat(entry.json()).isEqualTo(line);
                }
                checked++;
            }
        });
        Set<Integer> refused = new HashSet<>();
        for (Caller.Batch batch : caller.batches) {
            if (batch.acknowledged == null) {
                refused.addAll(batch.marks);
            } else {
                for (Entry entry : batch.acknowledged) {
                    shown.required(store, entry.id());
                    allowed.add(entry.id());
                    checked++;
                }
            }
        }
        List<String> strange = new ArrayList<>();
        for (String id : shown.ids()) {
            if (!allowed.contains(id) && !isOf(refused, store, id)) {
                strange.add(id);
            }
        }
        assertThat(strange).allMatch(id -> store.find(id).orElseThrow().json().contains("afterwards"));
        return shown.ids();
    }

    /** Whether an entry exists although it was never acknowledged. */
    private static boolean isOf(Set<Integer> refused, XMemStore store, String id) {
        Matcher mark = MARK.matcher(store.find(id).map(Entry::json).orElse(""));
        return !refused.isEmpty() && mark.find();
    }

    /** The lines of all ids of a disk as {@link MaintenanceFileSystem#grown} makes it. */
    static Map<String, String> lines(ModelFileSystem grown) {
        Map<String, String> lines = new TreeMap<>();
        Caller caller = new Caller(Durability.OS);
        caller.open(grown.after(Loss.PROCESS));
        try (XMemStore store = caller.store()) {
            for (String id : MaintenanceFileSystem.IDS) {
                lines.put(id, store.find(id).orElseThrow().json());
            }
        }
        return lines;
    }

    /** The ids of the entries that are shown, except these. */
    static Set<String> others(ModelFileSystem grown) {
        Caller caller = new Caller(Durability.OS);
        caller.open(grown.after(Loss.PROCESS));
        try (XMemStore store = caller.store()) {
            Set<String> ids = new HashSet<>(new Shown(store).ids());
            MaintenanceFileSystem.IDS.forEach(ids::remove);
            return ids;
        }
    }
}

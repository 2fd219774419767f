package dev.xmem.core.maintain.verify;

import dev.xmem.Entry;
import dev.xmem.VerifyReport;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.DailyIdCounter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads every line of every log from its file and reports what is wrong: how many findings there are, and the first
 * {@value #SHOWN} of each kind. Ids are compared in as many passes over the logs as the heap requires. Used once.
 */
final class LogVerifier {
    private static final int SHOWN = 20;
    private static final int MAX_CHARS = 500;
    /** About what comparing one id takes. */
    private static final int BYTES_AN_ID = 160;

    private static final int HEAP_PARTS = 5;
    /** How often verify looks again, and after which pause, at the end of a log that may be an append in progress. */
    private static final int APPEND_POLLS = 5;

    private static final long APPEND_POLL_MILLIS = 1;

    private final FileSystem files;
    private final Path peers;
    private final int lineBytes;
    /** Later times cannot be right. */
    private final long latest;

    private final List<String> findings = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final Map<String, Place> ids = new HashMap<>();
    /** Ids that exist although no failure or success has them: covered ones, and those of directives. */
    private final Set<String> covered = new HashSet<>();

    private final List<Reference> references = new ArrayList<>();
    private long lines;
    private int passes = 1;
    /** The number of the pass. */
    private int pass;

    LogVerifier(StoreConfig config) {
        this.files = config.fileSystem();
        this.peers = config.paths().peers();
        this.lineBytes = config.limits().lineBytes();
        this.latest = config.clock().millis() + Duration.ofDays(1).toMillis();
    }

    private record Place(Path file, long offset, int hash) {}

    /** A line that refers to another line of the same replica. */
    private record Reference(Path file, long offset, String field, String id) {}

    /** What a finding is about; the text follows the number of the findings that are not shown. */
    enum Kind {
        LINE("lines that are not entries"),
        TIME("lines without a time, or with one that cannot be right"),
        TYPE("lines of an unknown type"),
        ID("lines with a missing or malformed id"),
        REPEATED("lines with the id of another line"),
        REFERENCE("references to entries that do not exist"),
        CHANGE("changes in what was written before"),
        PEER("streams of other replicas that are not read on"),
        DERIVED("derived files that do not fit the logs");

        private final String plural;

        Kind(String plural) {
            this.plural = plural;
        }
    }

    record Findings(List<String> findings, List<String> notices, long count, long lines) implements VerifyReport {
        @Override
        public boolean clean() {
            return count == 0;
        }
    }

    /**
     * Reads logs.
     *
     * @param count the number of their lines
     */
    void read(List<LogDescriptor> parts, long count) throws IOException {
        long idsOfPass = Math.max(1, Runtime.getRuntime().maxMemory() / HEAP_PARTS / BYTES_AN_ID);
        passes = (int) Math.min(Integer.MAX_VALUE, 1 + count / idsOfPass);
        for (; pass < passes; pass++) {
            for (LogDescriptor part : parts) {
                read(part);
            }
            resolve();
        }
        pass = 0;
    }

    /** Whether the ids of this key are compared in this pass. */
    private boolean isOfPass(String key) {
        return Math.floorMod(key.hashCode(), passes) == pass;
    }

    private void read(LogDescriptor part) throws IOException {
        Path file = part.file();
        Entry.Kind kind = part.kind();
        FileSystem.Stat stat = files.stat(file);
        long before = stat == null ? 0 : stat.length();
        LogFile.readAll(files, file, lineBytes, new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                lines += pass == 0 ? 1 : 0;
                try {
                    check(part, offset, LineCodec.indexedFields(kind, buffer, start, length), buffer, start, length);
                    return true;
                } catch (MalformedLineException e) {
                    if (!ended && isBeingWritten(file, before)) {
                        return false;
                    }
                    String torn = ended ? "" : " (the last line, without a line end: torn, or being written)";
                    found(Kind.LINE, file, offset, e.getMessage() + torn);
                    return ended;
                }
            }

            @Override
            public void malformed(long offset, long length, String reason) {
                lines += pass == 0 ? 1 : 0;
                found(Kind.LINE, file, offset, reason);
            }
        });
    }

    /** Whether a log has grown since it had this length: another process was in the middle of an append. */
    private boolean isBeingWritten(Path file, long length) {
        try {
            for (int i = 0; i < APPEND_POLLS; i++) {
                FileSystem.Stat now = files.stat(file);
                if (now != null && now.length() > length) {
                    return true;
                }
                Thread.sleep(APPEND_POLL_MILLIS);
            }
            return false;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void found(Kind kind, Path file, long offset, String what) {
        found(kind, name(file) + " at byte " + offset + ": " + what);
    }

    /** The name of a log; that of a peer with the peer's name before it. */
    private String name(Path file) {
        Path folder = file.getParent();
        String name = String.valueOf(file.getFileName());
        return folder != null && peers.equals(folder.getParent()) ? "peers/" + folder.getFileName() + "/" + name : name;
    }

    /** What is no damage. */
    void notice(String what) {
        notices.add(what);
    }

    void found(Kind kind, String finding) {
        boolean known = pass > 0 && kind != Kind.REPEATED && kind != Kind.REFERENCE;
        if (!known && counts.merge(kind, 1L, Long::sum) <= SHOWN) {
            findings.add(finding.length() <= MAX_CHARS ? finding : finding.substring(0, MAX_CHARS) + "…");
        }
    }

    private void resolve() {
        for (Reference reference : references) {
            if (!ids.containsKey(reference.id) && !covered.contains(reference.id)) {
                String shown = reference.id.substring(reference.id.indexOf('/') + 1);
                String what = reference.field + " names " + shown + ", which does not exist";
                found(Kind.REFERENCE, reference.file, reference.offset, what);
            }
        }
        references.clear();
        covered.clear();
        ids.clear();
    }

    Findings report() {
        counts.forEach((kind, n) -> {
            if (n > SHOWN) {
                findings.add((n - SHOWN) + " more " + kind.plural + " are not shown");
            }
        });
        long count = counts.values().stream().mapToLong(Long::longValue).sum();
        return new Findings(List.copyOf(findings), List.copyOf(notices), count, lines);
    }

    private void check(LogDescriptor part, long offset, IndexedFields fields, byte[] buffer, int start, int length)
            throws MalformedLineException {
        Path file = part.file();
        Entry.Kind kind = part.kind();
        String owner = part.origin().replica() + "/";
        fields.covers().stream().map(owner::concat).filter(this::isOfPass).forEach(covered::add);
        if (!part.holds(fields.tsMillis())) {
            found(Kind.TIME, file, offset, "ts is not in the month of the archive");
        }
        if (part.origin().own() && (kind == Entry.Kind.SUCCESS || fields.target() != null)) {
            references(LineCodec.fields(Arrays.copyOfRange(buffer, start, start + length)), owner, file, offset);
        }
        if (fields.tsMillis() == 0 && !isTheEpoch(buffer, start, length)) {
            found(Kind.TIME, file, offset, "ts is missing or not a time");
        } else if (fields.tsMillis() > latest) {
            found(
                    Kind.TIME,
                    file,
                    offset,
                    "ts is more than a day in the future: a clock was wrong when it was written");
        }
        if (kind == Entry.Kind.NOTE || fields.target() != null) {
            return;
        }
        if (fields.kind() == Entry.Kind.UNKNOWN) {
            String type = "the type \"" + fields.type() + "\" is not known to this version; the line is kept";
            found(Kind.TYPE, file, offset, type);
        }
        String id = fields.id();
        if (id == null || !DailyIdCounter.isId(id)) {
            found(Kind.ID, file, offset, "the id is missing or not of the form YYYY-MM-DD-NNN");
        } else if (!isOfPass(owner + id)) {
            return;
        } else if (fields.kind() != Entry.Kind.DIRECTIVE) {
            Place here = new Place(file, offset, Arrays.hashCode(Arrays.copyOfRange(buffer, start, start + length)));
            Place before = ids.putIfAbsent(owner + id, here);
            if (before != null && before.hash != here.hash) {
                String other = name(before.file) + " at byte " + before.offset;
                found(Kind.REPEATED, file, offset, "the id " + id + " is also in " + other + " with different content");
            }
        } else {
            covered.add(owner + id);
        }
    }

    /** Whether a line has the time that a store writes while the clock is not set. */
    private boolean isTheEpoch(byte[] buffer, int start, int length) throws MalformedLineException {
        Object ts = LineCodec.fields(Arrays.copyOfRange(buffer, start, start + length))
                .get("ts");
        return ts instanceof String text && LineCodec.millis(text) == 0;
    }

    private void references(Map<String, Object> fields, String owner, Path file, long offset) {
        for (String field : List.of("target", "by", "answers")) {
            Object value = fields.get(field);
            List<?> named = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
            for (Object each : named) {
                String id = String.valueOf(each);
                int suffix = id.indexOf('~');
                String bare = suffix < 0 ? id : id.substring(0, suffix);
                if (DailyIdCounter.isId(bare) && isOfPass(owner + bare)) {
                    references.add(new Reference(file, offset, field, owner + bare));
                }
            }
        }
    }
}

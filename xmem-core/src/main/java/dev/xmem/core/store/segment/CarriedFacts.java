package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LowerCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The facts of consecutive new segments, carried over from those of older ones by a map of lines. No line is parsed
 * again that the map has. What is written is what {@link SegmentReader#write} writes of the same lines. Not
 * thread-safe. Decision: docs/adr/0092-compaction-from-columns.md.
 */
final class CarriedFacts implements SegmentReader.Carried {
    private static final IndexedField[] FIELDS = IndexedField.values();

    private final int first;
    private final int end;
    /** The binary logarithm of how many lines a full segment has. */
    private final int shift;

    private final ColumnsWriter[] columns;
    private final SegmentStatistics[] statistics;
    private final TermDictionary.Builder[][] dictionaries;
    private final List<Source> sources = new ArrayList<>();
    private final Names tools;
    private final Names tags;
    /** The lines that were parsed. */
    private final BitSet parsed = new BitSet();
    /** The lines of which a name is to be counted that the facts have in lower case only. */
    private final BitSet unclear = new BitSet();

    /** Fields of which a line has the keys of the lines that became part of it, too. */
    private static final Set<IndexedField> JOINED =
            EnumSet.of(IndexedField.TAG, IndexedField.SESSION, IndexedField.ANSWERED, IndexedField.COVERED);

    private static final int[] NONE = {};

    /** More lines of a key are sorted by marking them. */
    private static final int FEW = 64;

    /**
     * Older lines: line {@code i} is at {@code base + i} in the mapping.
     *
     * @param partLines how many lines a part has; the lines are one part unless their segment is merged
     * @param here the parts with lines that are here, as bits
     * @param joined the parts with lines that became part of lines that are here
     */
    private record Source(
            LineColumns lines, SegmentReader.LineMapping mapping, int base, int partLines, long here, long joined) {}

    /** The names of tools or tags that were counted, by their lower case. */
    private record Names(Map<String, List<String>> byLowerCase) {
        static Names of(Map<String, Long> counts) {
            Map<String, List<String>> names = new HashMap<>();
            counts.keySet()
                    .forEach(name -> names.computeIfAbsent(lower(name), key -> new ArrayList<>())
                            .add(name));
            return new Names(names);
        }

        static String lower(String name) {
            return LowerCase.of(name);
        }

        boolean areSeveral(String name) {
            return byLowerCase.getOrDefault(lower(name), List.of()).size() > 1;
        }
    }

    /**
     * The facts of the lines of a new log from one on.
     *
     * @param first the ordinal of the first line, with which a segment begins
     * @param count the number of lines
     * @param segmentLines how many lines a full segment has: a power of two
     * @param names counts that have every name of a tool or a tag in the older segments
     */
    CarriedFacts(int first, int count, int segmentLines, LogStatistics names) {
        this.first = first;
        this.end = first + count;
        this.shift = Integer.numberOfTrailingZeros(segmentLines);
        int segments = (count + segmentLines - 1) / segmentLines;
        this.columns = new ColumnsWriter[segments];
        this.statistics = new SegmentStatistics[segments];
        this.dictionaries = new TermDictionary.Builder[segments][FIELDS.length];
        for (int i = 0; i < segments; i++) {
            columns[i] = new ColumnsWriter(Math.min(segmentLines, count - i * segmentLines));
            statistics[i] = new SegmentStatistics();
        }
        this.tools = Names.of(names.tools());
        this.tags = Names.of(names.tags());
    }

    private int segmentOf(int line) {
        return (line - first) >> shift;
    }

    private int in(int line) {
        return line - first & (1 << shift) - 1;
    }

    @Override
    public void add(LineColumns lines, SegmentReader.LineMapping mapping, int base) {
        int partLines = lines instanceof MergedSegmentReader merged ? merged.count() / merged.parts() : lines.count();
        long here = 0;
        long joined = 0;
        for (int line = 0; line < lines.count(); line++) {
            long part = 1L << line / partLines;
            here |= isHere(SegmentReader.LineMapping.lineOf(at(mapping.map(), base + line))) ? part : 0;
            joined |= isHere(at(mapping.joined(), base + line)) ? part : 0;
            if ((here & joined & part) != 0) {
                line += partLines - line % partLines - 1;
            }
        }
        sources.add(new Source(lines, mapping, base, partLines, here, joined));
        lines.covering(line -> {
            int mapped = at(mapping.map(), base + line);
            if (isHere(mapped)) {
                columns[segmentOf(mapped)].covers(in(mapped), lines.occurrences(line));
            }
        });
    }

    private static int at(int[] map, int at) {
        return at < map.length ? map[at] : SegmentReader.LineMapping.GONE;
    }

    private boolean isHere(int line) {
        return line >= first && line < end;
    }

    @Override
    public void set(int line, long offset, LineColumns from, int fromLine) {
        columns[segmentOf(line)].set(in(line), offset, from, fromLine);
    }

    @Override
    public void joined(int line, int length, long digest, long occurrences) {
        columns[segmentOf(line)].bytes(in(line), length, digest);
        columns[segmentOf(line)].covers(in(line), occurrences);
    }

    @Override
    public void parsed(int line, IndexedFields fields) {
        parsed.set(line - first);
        statistics[segmentOf(line)].logStatistics().addNames(fields, tool -> true, tag -> true);
    }

    @Override
    public long offset(int line) {
        return columns[segmentOf(line)].offset(in(line));
    }

    @Override
    public int length(int line) {
        return columns[segmentOf(line)].length(in(line));
    }

    @Override
    public long digest(int line) {
        return columns[segmentOf(line)].digest(in(line));
    }

    @Override
    public SegmentStatistics statistics(int segment) {
        return statistics[segment];
    }

    @Override
    public void merge() throws CorruptSegmentException {
        for (IndexedField field : FIELDS) {
            new Field(field).merge();
        }
        for (int i = 0; i < columns.length; i++) {
            for (int line = 0; line < columns[i].count(); line++) {
                statistics[i].times().see(columns[i].time(line), line);
                statistics[i].logStatistics().addKind(columns[i].kind(line), 1);
            }
        }
    }

    @Override
    public int[] unclear() {
        int[] all = new int[unclear.cardinality()];
        for (int i = 0, line = -1; i < all.length; i++) {
            line = unclear.nextSetBit(line + 1);
            all[i] = first + line;
        }
        return all;
    }

    @Override
    public void count(int line, IndexedFields fields) {
        statistics[segmentOf(line)].logStatistics().addNames(fields, tools::areSeveral, tags::areSeveral);
    }

    @Override
    public void write(int segment, SectionWriter out) {
        SegmentReader.write(columns[segment], dictionaries[segment], out);
        statistics[segment].write(out);
    }

    /** Merges the dictionaries of a field. */
    private final class Field implements DictionaryMerger.ValueVisitor, IntConsumer {
        private final IndexedField field;
        private final DictionaryMerger merger = new DictionaryMerger();
        private final List<PostingLists> lists = new ArrayList<>();
        private final List<SegmentReader.LineMapping> maps = new ArrayList<>();
        /** The parts of each source that count. */
        private final List<Long> which = new ArrayList<>();
        /** The map of the posting list at hand. */
        private SegmentReader.LineMapping map = new SegmentReader.LineMapping(NONE, NONE);

        private final ByteArrays[] keys = new ByteArrays[columns.length];
        private final ByteArrays[] values = new ByteArrays[columns.length];
        /** The new lines of the key at hand. */
        private int[] lines = new int[16];

        private int n;
        /** Empty but while the lines of one key are sorted. */
        private final BitSet marked = new BitSet();

        private byte[] encoded = new byte[64];

        Field(IndexedField field) {
            this.field = field;
        }

        void merge() throws CorruptSegmentException {
            for (int i = 0; i < columns.length; i++) {
                keys[i] = new ByteArrays();
                values[i] = new ByteArrays();
            }
            boolean joins = JOINED.contains(field);
            for (Source source : sources) {
                SegmentReader.LineMapping all = source.mapping;
                add(
                        source,
                        field,
                        joins ? all : new SegmentReader.LineMapping(all.map(), NONE),
                        joins ? source.here | source.joined : source.here);
                if (field == IndexedField.COVERED) {
                    add(source, IndexedField.ID, new SegmentReader.LineMapping(NONE, all.joined()), source.joined);
                }
            }
            merger.visit(this);
            for (int i = 0; i < columns.length; i++) {
                dictionaries[i][field.ordinal()] = new TermDictionary.Builder(keys[i], values[i]);
                dictionaries[i][field.ordinal()].sorted();
            }
        }

        private void add(Source source, IndexedField of, SegmentReader.LineMapping from, long parts)
                throws CorruptSegmentException {
            map = from;
            if (parts == 0) {
                return;
            }
            for (PostingLists some : PostingLists.of(source.lines, of, source.base, source.lines.count())) {
                BitSet keys = of == IndexedField.ID ? ids(some) : some.keysOf(parts);
                if (keys == null || !keys.isEmpty()) {
                    merger.add(some.dictionary(), keys);
                    lists.add(some);
                    maps.add(from);
                    which.add(parts);
                }
            }
        }

        /** The places of the ids of the lines that are here: of most older segments few are, or none. */
        private @Nullable BitSet ids(PostingLists some) {
            SegmentReader segment = some.segment();
            if (segment == null) {
                return null;
            }
            BitSet ids = new BitSet(some.dictionary().size());
            for (int line = 0; line < some.count(); line++) {
                int id = isHere(newLine(some.base() + line)) ? segment.idPlace(line) : ColumnsWriter.NONE;
                if (id != ColumnsWriter.NONE) {
                    ids.set(id);
                }
            }
            return ids;
        }

        /** The new line that has the keys of a line in this field, or another number. */
        private int newLine(int ordinal) {
            int line = at(map.map(), ordinal);
            return field == IndexedField.CURRENT_HASH
                    ? SegmentReader.LineMapping.lineOf(line)
                    : Math.max(line, at(map.joined(), ordinal));
        }

        @Override
        public void value(int source, TermDictionary of, int place) {
            map = maps.get(source);
            lists.get(source).lines(place, which.get(source), this);
        }

        @Override
        public void accept(int ordinal) {
            int line = newLine(ordinal);
            if (isHere(line)) {
                if (n == lines.length) {
                    lines = Arrays.copyOf(lines, 2 * n);
                }
                lines[n++] = line;
            }
        }

        @Override
        public void key(TermDictionary of, int place) {
            if (n > 0) {
                sort();
                for (int from = 0; from < n; ) {
                    int segment = segmentOf(lines[from]);
                    int to = from + 1;
                    while (to < n && segmentOf(lines[to]) == segment) {
                        to++;
                    }
                    of.copyKey(place, keys[segment]);
                    encode(segment, from, to);
                    from = to;
                }
                note(of, place);
                n = 0;
            }
        }

        /** Parsed lines are in another source than those around them, and several joined lines may have a key. */
        private void sort() {
            for (int i = 1; i < n; i++) {
                if (lines[i] <= lines[i - 1]) {
                    if (n > FEW) {
                        sortMany();
                    } else {
                        sortFew();
                    }
                    return;
                }
            }
        }

        private void sortMany() {
            for (int i = 0; i < n; i++) {
                marked.set(lines[i] - first);
            }
            n = 0;
            for (int line = marked.nextSetBit(0); line >= 0; line = marked.nextSetBit(line + 1)) {
                lines[n++] = first + line;
            }
            marked.clear();
        }

        private void sortFew() {
            int different = 0;
            for (int i = 0; i < n; i++) {
                int line = lines[i];
                int at = different;
                while (at > 0 && lines[at - 1] > line) {
                    at--;
                }
                if (at == 0 || lines[at - 1] != line) {
                    System.arraycopy(lines, at, lines, at + 1, different++ - at);
                    lines[at] = line;
                }
            }
            n = different;
        }

        private void encode(int segment, int from, int to) {
            if (encoded.length < 5 * (to - from + 1)) {
                encoded = new byte[10 * (to - from + 1)];
            }
            int at = Varints.put(encoded, 0, to - from);
            int before = 0;
            for (int i = from; i < to; i++) {
                int line = in(lines[i]);
                at = Varints.put(encoded, at, line - before);
                before = line;
            }
            values[segment].add(encoded, 0, at);
        }

        /** Notes what else than the dictionary is made of a key and its lines. */
        private void note(TermDictionary of, int place) {
            switch (field) {
                case ID -> {
                    for (int i = 0; i < n; i++) {
                        int segment = segmentOf(lines[i]);
                        columns[segment].id(in(lines[i]), keys[segment].count() - 1);
                        statistics[segment].days().see(of, place);
                    }
                }
                case COVERED -> {
                    for (int i = 0; i < n; i++) {
                        statistics[segmentOf(lines[i])].days().see(of, place);
                    }
                }
                case TOOL -> count(tools.byLowerCase.getOrDefault(of.key(place), List.of()));
                case TAG -> count(tags.byLowerCase.getOrDefault(of.key(place), List.of()));
                default -> {
                    // only its dictionary
                }
            }
        }

        private void count(List<String> names) {
            for (int i = 0; i < n && !names.isEmpty(); i++) {
                int line = lines[i] - first;
                int segment = segmentOf(lines[i]);
                Entry.Kind kind = columns[segment].kind(in(lines[i]));
                boolean counts = kind == Entry.Kind.FAILURE || kind == Entry.Kind.SUCCESS;
                if (!counts || parsed.get(line)) {
                    continue;
                }
                LogStatistics to = statistics[segment].logStatistics();
                if (names.size() > 1) {
                    unclear.set(line);
                } else if (field == IndexedField.TOOL) {
                    to.addTool(kind, names.get(0), 1);
                } else {
                    to.addTag(names.get(0), 1);
                }
            }
        }
    }
}

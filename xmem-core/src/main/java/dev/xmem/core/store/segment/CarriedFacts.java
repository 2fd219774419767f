package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The facts of consecutive new segments, carried over from those of older ones by a map of lines. No line is parsed
 * again that the map has. What is written is what {@link SegmentReader#write} writes of the same lines. Not
 * thread-safe. Decision: docs/adr/0092-compaction-from-columns.md.
 */
final class CarriedFacts implements SegmentReader.Carried {
    private static final IndexedField[] FIELDS = IndexedField.values();

    private final int first;
    private final int segmentLines;
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

    /** Older lines: line {@code i} is line {@code map[base + i]} of the new log. */
    @SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
    private record Source(LineColumns lines, int[] map, int base) {}

    /** The names of tools or tags that were counted, by their lower case. */
    private record Names(Map<String, List<String>> byLowerCase) {
        static Names of(Map<String, Long> counts) {
            return new Names(counts.keySet().stream().collect(Collectors.groupingBy(Names::lower)));
        }

        static String lower(String name) {
            return name.toLowerCase(Locale.ROOT);
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
     * @param segmentLines how many lines a full segment has
     * @param names counts that have every name of a tool or a tag in the older segments
     */
    CarriedFacts(int first, int count, int segmentLines, LogStatistics names) {
        this.first = first;
        this.segmentLines = segmentLines;
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
        return (line - first) / segmentLines;
    }

    private int in(int line) {
        return (line - first) % segmentLines;
    }

    @Override
    public void add(LineColumns lines, int[] map, int base) {
        sources.add(new Source(lines, map, base));
        lines.covering(line -> {
            int mapped = mapped(map, base + line);
            if (mapped >= 0) {
                columns[segmentOf(mapped)].covers(in(mapped), lines.occurrences(line));
            }
        });
    }

    /** The new line, if it is one of these and not parsed. */
    private int mapped(int[] map, int at) {
        int line = at < map.length ? map[at] : GONE;
        return isHere(line) ? line : GONE;
    }

    private boolean isHere(int line) {
        return line >= first && segmentOf(line) < columns.length && in(line) < columns[segmentOf(line)].count();
    }

    @Override
    public void set(int line, long offset, LineColumns from, int fromLine) {
        columns[segmentOf(line)].set(in(line), offset, from, fromLine);
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
        return unclear.stream().map(line -> first + line).toArray();
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
    private final class Field implements DictionaryMerger.ValueVisitor {
        private final IndexedField field;
        private final DictionaryMerger merger = new DictionaryMerger();
        private final List<PostingLists> lists = new ArrayList<>();
        private final List<int[]> maps = new ArrayList<>();
        private int[] map = {};
        private final ByteArrays[] keys = new ByteArrays[columns.length];
        private final ByteArrays[] values = new ByteArrays[columns.length];
        /** The new lines of the key at hand. */
        private int[] lines = new int[16];

        private int n;
        private byte[] encoded = new byte[64];

        Field(IndexedField field) {
            this.field = field;
        }

        void merge() throws CorruptSegmentException {
            for (int i = 0; i < columns.length; i++) {
                keys[i] = new ByteArrays();
                values[i] = new ByteArrays();
            }
            for (Source source : sources) {
                add(source);
            }
            merger.visit(this);
            for (int i = 0; i < columns.length; i++) {
                dictionaries[i][field.ordinal()] = new TermDictionary.Builder(keys[i], values[i]);
                dictionaries[i][field.ordinal()].sorted();
            }
        }

        private void add(Source source) throws CorruptSegmentException {
            for (PostingLists some : PostingLists.of(source.lines, field, source.base, source.lines.count())) {
                if (overlaps(source.map, some.base(), some.count())) {
                    merger.add(some.dictionary());
                    lists.add(some);
                    maps.add(source.map);
                }
            }
        }

        private boolean overlaps(int[] map, int base, int count) {
            for (int at = base; at < Math.min(base + count, map.length); at++) {
                if (isHere(SegmentReader.Carried.lineOf(map[at]))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void value(int source, TermDictionary of, int place) {
            map = maps.get(source);
            lists.get(source).lines(place, this::add);
        }

        private void add(int ordinal) {
            int line = newLine(ordinal);
            if (line >= 0) {
                if (n == lines.length) {
                    lines = Arrays.copyOf(lines, 2 * n);
                }
                lines[n++] = line;
            }
        }

        private int newLine(int at) {
            int mapped = at < map.length ? map[at] : GONE;
            int line = field == IndexedField.CURRENT_HASH ? SegmentReader.Carried.lineOf(mapped) : mapped;
            return isHere(line) ? line : GONE;
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

        /** Parsed lines are in another source than those around them. */
        private void sort() {
            for (int i = 1; i < n; i++) {
                if (lines[i] < lines[i - 1]) {
                    Arrays.sort(lines, 0, n);
                    return;
                }
            }
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
                    String id = of.key(place);
                    for (int i = 0; i < n; i++) {
                        int segment = segmentOf(lines[i]);
                        columns[segment].id(in(lines[i]), keys[segment].count() - 1);
                        statistics[segment].days().see(id);
                    }
                }
                case COVERED -> {
                    String id = of.key(place);
                    for (int i = 0; i < n; i++) {
                        statistics[segmentOf(lines[i])].days().see(id);
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

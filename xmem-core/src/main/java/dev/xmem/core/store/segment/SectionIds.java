package dev.xmem.core.store.segment;

/**
 * The sections of segment files: the one list of their ids, with what their bytes are. A segment of <em>n</em> lines is
 * two files, each with a {@linkplain SegmentHeader header}: one of facts (sections 1 to 5 and from 16 on) and one of
 * text (sections 8 to 13). A merged segment is one file with the sections of both, see {@link SegmentMerger}. How
 * sections are framed is described in {@link SectionFile}.
 *
 * <p>Numbers are little-endian: an <em>int</em> has four bytes, a <em>long</em> eight. A <em>varint</em> is written by
 * {@link Varints}. A <em>text</em> is an int with its length in bytes, then the bytes of {@link KeyCodec}. A
 * <em>dictionary</em> is described in {@link TermDictionary}. Ids and layouts are part of the file format: a change of
 * either raises {@link SectionFile#VERSION}.
 */
final class SectionIds {
    /** What the segment is of: see {@link SegmentHeader}. In both files. */
    static final int HEADER = 0;

    /**
     * The columns, one after the other, each with a value for every line: offset (long), time (long), digest (long),
     * length (int), place of the id in the dictionary of ids or -1 (int), ordinal of the kind (byte).
     */
    static final int COLUMNS = 1;

    /** Lines by digest: a table of ints, open-addressed by the low bits of the digest; 0 is empty, else line + 1. */
    static final int DIGESTS = 2;

    /** The lines that cover others, ascending: the line (long) and its occurrences (long). */
    static final int COVERING = 3;

    /** Statistics: see {@link SegmentStatistics#write}. */
    static final int STATISTICS = 4;

    /**
     * <em>n</em> (int), 1 if a line has no id, else 0 (int), and the {@link KeyRange} of every {@link IndexedField}.
     */
    static final int SUMMARY = 5;

    /** Of a merged segment: how many segments it was merged of (int), and how many lines each of them has (int). */
    static final int PARTS = 6;

    /** Which blocks of lines have which trigrams: see {@link TrigramFilter}. */
    static final int TRIGRAMS = 8;

    /** For each line, and once behind the last: the number of entries before it (int) and of their words (int). */
    static final int WORD_COUNTS = 9;

    /** A dictionary of terms; the value is the number of postings (varint) and the postings of {@code PostingList}. */
    static final int TERMS = 10;

    /** For each line how many words it has, at most 255 (byte). */
    static final int FEW_WORDS = 11;

    /** Which groups of lines have which pairs of common words side by side: see {@link WordPairFilter}. */
    static final int WORD_PAIRS = 12;

    /** A dictionary of the terms with long posting lists; the value is the {@link BlockImpacts}. May be missing. */
    static final int IMPACTS = 13;

    private static final int FIRST_FIELD = 16;
    /** Above all ids of sections. */
    private static final int PART_IDS = 64;

    private SectionIds() {}

    /** A dictionary of the keys of a field; the value is the {@link EncodedPostings} of the lines with the key. */
    static int of(IndexedField field) {
        return FIRST_FIELD + field.ordinal();
    }

    /** The section that a merged segment has in place of a section of one of its parts. */
    static int inPart(int id, int part) {
        return id + PART_IDS * (part + 1);
    }
}

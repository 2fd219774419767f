package dev.xmem;

/**
 * How large things may be. Immutable and thread-safe: each setter returns a copy. What is larger is refused with
 * {@link XMemException.Limit} before anything is written; a longer line that another program wrote is skipped, counted
 * and kept.
 */
public final class Limits {
    private static final Limits DEFAULTS = new Limits();

    private int lineBytes = 1 << 20;
    private int fieldBytes = 256 << 10;
    private int nesting = 32;
    private int tags = 64;
    private int tagChars = 128;
    private int listItems = 256;
    private long storeBytes = 1L << 40;

    private Limits() {}

    private Limits(Limits l) {
        lineBytes = l.lineBytes;
        fieldBytes = l.fieldBytes;
        nesting = l.nesting;
        tags = l.tags;
        tagChars = l.tagChars;
        listItems = l.listItems;
        storeBytes = l.storeBytes;
    }

    /** Line 1 MiB, field 256 KiB, nesting 32, 64 tags of 128 characters, lists of 256 items, store 1 TiB. */
    public static Limits defaults() {
        return DEFAULTS;
    }

    private static long positive(String name, long n) {
        if (n < 1) {
            throw new IllegalArgumentException(name + " must be 1 or more, not " + n);
        }
        return n;
    }

    /** The longest line, in bytes without its line end. Default 1 MiB. */
    public Limits lineBytes(int n) {
        Limits l = new Limits(this);
        l.lineBytes = (int) positive("lineBytes", n);
        return l;
    }

    /** The longest field of an entry, in bytes of UTF-8. Default 256 KiB. */
    public Limits fieldBytes(int n) {
        Limits l = new Limits(this);
        l.fieldBytes = (int) positive("fieldBytes", n);
        return l;
    }

    /** The deepest nesting of a JSON object given as text. Default 32. */
    public Limits nesting(int n) {
        Limits l = new Limits(this);
        l.nesting = (int) positive("nesting", n);
        return l;
    }

    /** The most tags of an entry. Default 64. */
    public Limits tags(int n) {
        Limits l = new Limits(this);
        l.tags = (int) positive("tags", n);
        return l;
    }

    /** The longest tag, in characters. Default 128. */
    public Limits tagChars(int n) {
        Limits l = new Limits(this);
        l.tagChars = (int) positive("tagChars", n);
        return l;
    }

    /** The longest list other than tags, such as key steps, in items. Default 256. */
    public Limits listItems(int n) {
        Limits l = new Limits(this);
        l.listItems = (int) positive("listItems", n);
        return l;
    }

    /** The most bytes that the logs of a store may have together. Default 1 TiB. */
    public Limits storeBytes(long n) {
        Limits l = new Limits(this);
        l.storeBytes = positive("storeBytes", n);
        return l;
    }

    /** The longest line, in bytes without its line end. */
    public int lineBytes() {
        return lineBytes;
    }

    /** The longest field of an entry, in bytes of UTF-8. */
    public int fieldBytes() {
        return fieldBytes;
    }

    /** The deepest nesting of a JSON object given as text. */
    public int nesting() {
        return nesting;
    }

    /** The most tags of an entry. */
    public int tags() {
        return tags;
    }

    /** The longest tag, in characters. */
    public int tagChars() {
        return tagChars;
    }

    /** The longest list other than tags, in items. */
    public int listItems() {
        return listItems;
    }

    /** The most bytes that the logs of a store may have together. */
    public long storeBytes() {
        return storeBytes;
    }
}

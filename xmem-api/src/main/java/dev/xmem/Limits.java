package dev.xmem;

/**
 * The size limits of a store. Immutable and thread-safe; each setter returns a copy and throws
 * {@link IllegalArgumentException} if the limit is less than 1.
 *
 * <p>Recording something larger throws {@link XMemException.Limit} before anything is written. A longer line that
 * another program wrote stays in its file; the store skips and counts it.
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
    private long peerBytes = 1L << 30;
    private long importBytes = 16L << 30;

    private Limits() {}

    private Limits(Limits l) {
        lineBytes = l.lineBytes;
        fieldBytes = l.fieldBytes;
        nesting = l.nesting;
        tags = l.tags;
        tagChars = l.tagChars;
        listItems = l.listItems;
        storeBytes = l.storeBytes;
        peerBytes = l.peerBytes;
        importBytes = l.importBytes;
    }

    /**
     * Returns the default limits: lines of 1 MiB, fields of 256 KiB, nesting 32, 64 tags of 128 characters, lists of
     * 256 items, 1 TiB for the store, 1 GiB for what is imported of a replica, and 16 GiB of all.
     */
    public static Limits defaults() {
        return DEFAULTS;
    }

    private static long positive(String name, long n) {
        if (n < 1) {
            throw new IllegalArgumentException(name + " must be 1 or more, not " + n);
        }
        return n;
    }

    /** Returns a copy with the maximum length of a line, in bytes without its line end. Default 1 MiB. */
    public Limits lineBytes(int n) {
        Limits l = new Limits(this);
        l.lineBytes = (int) positive("lineBytes", n);
        return l;
    }

    /** Returns a copy with the maximum length of a field, in bytes of UTF-8. Default 256 KiB. */
    public Limits fieldBytes(int n) {
        Limits l = new Limits(this);
        l.fieldBytes = (int) positive("fieldBytes", n);
        return l;
    }

    /** Returns a copy with the maximum nesting depth of a JSON object given as text. Default 32; 256 is the most. */
    public Limits nesting(int n) {
        Limits l = new Limits(this);
        l.nesting = (int) positive("nesting", n);
        return l;
    }

    /** Returns a copy with the maximum number of tags of an entry. Default 64. */
    public Limits tags(int n) {
        Limits l = new Limits(this);
        l.tags = (int) positive("tags", n);
        return l;
    }

    /** Returns a copy with the maximum length of a tag, in characters. Default 128. */
    public Limits tagChars(int n) {
        Limits l = new Limits(this);
        l.tagChars = (int) positive("tagChars", n);
        return l;
    }

    /** Returns a copy with the maximum size of a list other than tags, such as key steps. Default 256. */
    public Limits listItems(int n) {
        Limits l = new Limits(this);
        l.listItems = (int) positive("listItems", n);
        return l;
    }

    /** Returns a copy with the maximum total size of the logs, in bytes. Default 1 TiB. */
    public Limits storeBytes(long n) {
        Limits l = new Limits(this);
        l.storeBytes = positive("storeBytes", n);
        return l;
    }

    /**
     * Returns a copy with the maximum size of what is imported of one other replica, in bytes. The rest of its streams
     * is left out and reported by {@link SyncReport#unread}. Default 1 GiB.
     */
    public Limits peerBytes(long n) {
        Limits l = new Limits(this);
        l.peerBytes = positive("peerBytes", n);
        return l;
    }

    /**
     * Returns a copy with the maximum size of what is imported of all other replicas, in bytes, as with
     * {@link #peerBytes(long)}. Default 16 GiB.
     */
    public Limits importBytes(long n) {
        Limits l = new Limits(this);
        l.importBytes = positive("importBytes", n);
        return l;
    }

    /** Returns the maximum length of a line, in bytes without its line end. */
    public int lineBytes() {
        return lineBytes;
    }

    /** Returns the maximum length of a field, in bytes of UTF-8. */
    public int fieldBytes() {
        return fieldBytes;
    }

    /** Returns the maximum nesting depth of a JSON object given as text. */
    public int nesting() {
        return nesting;
    }

    /** Returns the maximum number of tags of an entry. */
    public int tags() {
        return tags;
    }

    /** Returns the maximum length of a tag, in characters. */
    public int tagChars() {
        return tagChars;
    }

    /** Returns the maximum size of a list other than tags. */
    public int listItems() {
        return listItems;
    }

    /** Returns the maximum total size of the logs, in bytes. */
    public long storeBytes() {
        return storeBytes;
    }

    /** Returns the maximum size of what is imported of one other replica, in bytes. */
    public long peerBytes() {
        return peerBytes;
    }

    /** Returns the maximum size of what is imported of all other replicas, in bytes. */
    public long importBytes() {
        return importBytes;
    }
}

package dev.xmem.core.store.terms;

/** The weight of a word by the field of the entry it is in. */
public enum FieldBoost {
    /** The tool's name. It is also indexed as a tool, so that a query that names a tool prefers its entries. */
    TOOL(5),
    /** The context hash. The program that it begins with is also indexed as a tool: shells run many of them. */
    HASH(4),
    /** What the entry is about: operation, pattern name, tags. */
    TITLE(4),
    /** What happened and what to do: error, advice, content, key steps. */
    TEXT(3),
    /** Everything else: evidence, parameters, notes, attempts. */
    DETAIL(1),
    /** The id and the time: details that do not recur, so that no cache has them. */
    ONCE(1);

    private final int weight;

    FieldBoost(int weight) {
        this.weight = weight;
    }

    public int weight() {
        return weight;
    }
}

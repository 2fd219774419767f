package dev.xmem.core.store.terms;

/** How much a word counts, by where in the entry it stands. */
public enum FieldBoost {
    /** The tool's name. It is also remembered as the tool, so that a request that names a tool prefers its entries. */
    TOOL(5),
    /** What the entry is about: operation, pattern name, context hash, tags. */
    TITLE(4),
    /** What happened and what to do: error, advice, content, key steps. */
    TEXT(3),
    /** Everything else: evidence, parameters, notes, what was tried. */
    DETAIL(1);

    private final int weight;

    FieldBoost(int weight) {
        this.weight = weight;
    }

    public int weight() {
        return weight;
    }
}

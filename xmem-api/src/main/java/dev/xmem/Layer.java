package dev.xmem;

/**
 * Whose memory an entry is from, in the order in which a recall tells it. {@code XMem.Builder.alsoAsk} gives a store
 * further layers. The id of an entry of another layer ends in its {@link #suffix}, so it addresses one entry.
 */
public enum Layer {
    /** The store itself: the memory of the project. What fails is recorded here. */
    PROJECT("", ""),
    /** The user's own store: lessons of the user's other projects. */
    USER("@user", "your other projects"),
    /** The store that a team shares. */
    TEAM("@team", "team");

    private final String suffix;
    private final String label;

    Layer(String suffix, String label) {
        this.suffix = suffix;
        this.label = label;
    }

    /** Returns the end of the ids of its entries, such as {@code @user}; empty for {@link #PROJECT}. */
    public String suffix() {
        return suffix;
    }

    /** Returns how advice names it, such as {@code your other projects}; empty for {@link #PROJECT}. */
    public String label() {
        return label;
    }
}

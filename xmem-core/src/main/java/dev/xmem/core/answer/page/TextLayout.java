package dev.xmem.core.answer.page;

/** A page for a reader: heading, entries, ending. Its frames: full, with a short ending, without one, the bare entry. */
final class TextLayout implements PageLayout {
    private static final int SHORT_ENDING = 1;
    private static final int NO_ENDING = 2;
    private static final int BARE = 3;

    private final Body body;
    private final PageFooter ending;

    TextLayout(Body body, PageFooter ending) {
        this.body = body;
        this.ending = ending;
    }

    /** What differs between the layouts. */
    interface Body {
        /** The first line. */
        String heading(int entries, String tokens);

        /** Adds the entries, each line begun with a line feed. */
        void entries(StringBuilder out, PageExtent shown);

        /** A cut entry and nothing else; its first characters are ours. */
        String bare(String cut);
    }

    @Override
    public String text(PageExtent shown, int tokens) {
        String cut = shown.cut();
        if (shown.frame() == BARE) {
            return cut == null ? "" : body.bare(cut);
        }
        StringBuilder out = new StringBuilder(body.heading(shown.entries(), TokenFormat.cost(tokens)));
        out.append(shown.digest() == null ? "" : "\n" + shown.digest());
        if (shown.entries() > 0) {
            body.entries(out, shown);
        } else if (shown.frame() == 0) {
            out.append("\nFewer words or filters find more; /xmem:stats shows what there is.");
        }
        boolean ends = shown.ending() && shown.frame() < NO_ENDING;
        return out.append(ends ? ending.text(shown.entries(), shown.frame() == SHORT_ENDING) : "")
                .toString();
    }

    @Override
    public int frames() {
        return BARE + 1;
    }

    @Override
    public boolean showsEntries(int frame) {
        return true;
    }
}

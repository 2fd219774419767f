package dev.xmem.core.answer.page;

import dev.xmem.Entry;

/** The cards, in the order of the ranking. */
final class CardsBody implements TextLayout.Body {
    private final PageRequest request;
    private final EntryTexts entries;

    CardsBody(PageRequest request, EntryTexts entries) {
        this.request = request;
        this.entries = entries;
    }

    @Override
    public String heading(int shown, String tokens) {
        return "Loaded " + count(Entry.Kind.FAILURE, shown) + " failures, " + count(Entry.Kind.SUCCESS, shown)
                + " successes" + some(Entry.Kind.NOTE, shown, "notes") + some(Entry.Kind.DIRECTIVE, shown, "directives")
                + some(Entry.Kind.UNKNOWN, shown, "others") + " (" + tokens + " tokens)";
    }

    private int count(Entry.Kind kind, int shown) {
        return KindRanges.indexes(request.ranked(), kind, shown).length;
    }

    private String some(Entry.Kind kind, int shown, String name) {
        int count = count(kind, shown);
        return count == 0 ? "" : ", " + count + " " + name;
    }

    @Override
    public void entries(StringBuilder out, PageExtent shown) {
        for (int i = 0; i < shown.entries(); i++) {
            out.append("\n\n").append(entries.text(i, shown));
        }
    }

    @Override
    public String bare(String cut) {
        return cut;
    }
}

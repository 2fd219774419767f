package dev.xmem.core.answer.page;

import dev.xmem.Entry;
import java.util.List;

/** The overview: grouped by kind, numbered in each group. */
final class ListBody implements TextLayout.Body {
    private static final List<Entry.Kind> GROUPS =
            List.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS, Entry.Kind.DIRECTIVE, Entry.Kind.NOTE, Entry.Kind.UNKNOWN);

    private final PageRequest request;
    private final EntryTexts entries;

    ListBody(PageRequest request, EntryTexts entries) {
        this.request = request;
        this.entries = entries;
    }

    @Override
    public String heading(int shown, String tokens) {
        String found = "Found " + (request.totalIsExact() || request.total() == 0 ? "" : "at least ") + request.total()
                + " entries";
        if (shown > 0) {
            return found + " (" + tokens + " tokens):";
        }
        return request.total() == 0 ? found : found + ", none from offset " + request.offset() + " on";
    }

    @Override
    public void entries(StringBuilder out, PageExtent shown) {
        for (Entry.Kind kind : GROUPS) {
            int[] group = KindRanges.indexes(request.ranked(), kind, shown.entries());
            if (group.length > 0) {
                out.append("\n\n")
                        .append(title(kind))
                        .append(" (")
                        .append(group.length)
                        .append("):");
                group(out, group, shown);
            }
        }
    }

    /** After an entry with lines of its own comes a blank one. */
    private void group(StringBuilder out, int[] group, PageExtent shown) {
        boolean blank = false;
        for (int i = 0; i < group.length; i++) {
            String text = entries.text(group[i], shown);
            out.append(blank ? "\n\n" : "\n").append(i + 1).append(". ").append(text);
            blank = text.indexOf('\n') >= 0;
        }
    }

    @Override
    public String bare(String cut) {
        return "1. " + cut;
    }

    private static String title(Entry.Kind kind) {
        return switch (kind) {
            case FAILURE -> "Failures";
            case SUCCESS -> "Successes";
            case DIRECTIVE -> "Directives";
            case NOTE -> "Notes";
            case UNKNOWN -> "Other";
        };
    }
}

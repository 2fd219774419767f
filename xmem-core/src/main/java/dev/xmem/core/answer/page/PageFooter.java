package dev.xmem.core.answer.page;

import dev.xmem.Query;
import dev.xmem.core.answer.render.TextSanitizer;

/** What stands below a page that is not the last: what it shows of the ranking, and the next command. */
final class PageFooter {
    private static final int COMMAND_SHARE = 4;

    private final PageRequest request;
    private final String command;
    private final boolean commandIsLong;

    PageFooter(PageRequest request, String name, TokenMeter scale) {
        this.request = request;
        String query = TextSanitizer.line(request.query().toString());
        command = query.isEmpty() ? name : name + " " + query;
        commandIsLong = scale.weigh(command) > request.tokenBudget() / COMMAND_SHARE;
    }

    /** Two lines, or nothing on the last page. */
    String text(int entries, boolean brief) {
        if (!request.goesOnAfter(entries)) {
            return "";
        }
        String next =
                (brief || commandIsLong ? "the same query with" : command) + " --offset=" + request.nextOffset(entries);
        return "\n\nShowing " + range(entries) + " of " + total() + " entries (" + limit(entries) + ")"
                + "\nRefine search or load next page? (" + next + ")";
    }

    private String range(int entries) {
        int first = request.offset() + 1;
        return request.offset() == 0 ? Integer.toString(entries) : first + "–" + request.nextOffset(entries);
    }

    private String total() {
        return (request.totalIsExact() ? "" : "at least ") + request.total();
    }

    /** The most entries a page may have follow from the token limit and go by its name. */
    private String limit(int entries) {
        int limit = request.query().limit();
        return entries == limit && limit < Query.MAX_ENTRIES
                ? "limit " + limit
                : TokenFormat.limit(request.tokenBudget()) + " token limit";
    }
}

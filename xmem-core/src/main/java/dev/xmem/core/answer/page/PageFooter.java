package dev.xmem.core.answer.page;

import dev.xmem.Query;
import dev.xmem.core.answer.render.TextSanitizer;

/** The footer of a page that is not the last: the range it shows, and the command for the next page. */
final class PageFooter {
    private static final int COMMAND_SHARE = 4;

    private final PageRequest request;
    private final String command;
    private final boolean commandIsLong;

    PageFooter(PageRequest request, String name, TokenMeter meter) {
        this.request = request;
        String query = TextSanitizer.line(request.query().toString());
        command = (query.isEmpty() ? name : name + " " + query) + request.budgetOption();
        commandIsLong = meter.cost(command) > request.tokenBudget() / COMMAND_SHARE;
    }

    /** Two lines; empty on the last page. */
    String text(int entries, boolean brief) {
        if (!request.hasMoreAfter(entries)) {
            return "";
        }
        String next = brief || commandIsLong ? "the same query with" : command;
        return "\n\nShowing " + range(entries) + " of " + request.totalText() + " (" + limit(entries) + ")"
                + "\nRefine search or load next page? (" + next + offset(entries) + ")";
    }

    /** One line, for a small budget; empty on the last page. */
    String line(int entries) {
        return request.hasMoreAfter(entries)
                ? "\nShowing " + range(entries) + " of " + request.totalText() + "; next:" + offset(entries)
                : "";
    }

    private String range(int entries) {
        return request.offset() == 0
                ? Integer.toString(entries)
                : request.offset() + 1 + "–" + request.nextOffset(entries);
    }

    private String offset(int entries) {
        return " --offset=" + request.nextOffset(entries);
    }

    /** What ended the page. The largest page there is counts as ended by the token limit. */
    private String limit(int entries) {
        int limit = request.query().limit();
        return entries == limit && limit < Query.MAX_ENTRIES
                ? "limit " + limit
                : TokenMeter.limitText(request.tokenBudget()) + " token limit";
    }
}

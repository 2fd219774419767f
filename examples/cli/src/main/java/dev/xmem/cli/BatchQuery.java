package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Query;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One line of {@code search --batch}: {@code {"q":…,"limit":…,"offset":…,"cursor":…,"deep":…}}; only q is required. */
final class BatchQuery {
    private @Nullable String q;
    private @Nullable String cursor;
    private @Nullable Integer limit;
    private @Nullable Integer offset;
    private boolean deep;

    private BatchQuery() {}

    static Query of(String line) throws LineException {
        BatchQuery request = new BatchQuery();
        JsonText.read(line, request::read);
        if (request.q == null) {
            throw new LineException("q is missing: the query as a string, such as \"tool=git\"");
        }
        Query query = Query.parse(request.q).layout(Query.Layout.JSON);
        query = request.limit == null ? query : query.limit(request.limit);
        query = request.offset == null ? query : query.offset(request.offset);
        query = request.deep ? query.deep() : query;
        return request.cursor == null ? query : query.after(request.cursor);
    }

    private void read(String name, JsonParser p) throws IOException, LineException {
        if (p.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        switch (name) {
            case "q" -> q = JsonText.string(name, p);
            case "cursor" -> cursor = JsonText.string(name, p);
            case "limit" -> limit = JsonText.number(name, p, 1, Integer.MAX_VALUE);
            case "offset" -> offset = JsonText.number(name, p, 0, Integer.MAX_VALUE);
            case "deep" -> deep = p.currentToken() == JsonToken.VALUE_TRUE;
            default -> {} // ignored
        }
    }
}

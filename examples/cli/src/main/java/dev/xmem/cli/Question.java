package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Query;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One line of {@code search --batch}: {@code {"q":…,"limit":…,"offset":…,"cursor":…}}, all but q optional. */
final class Question {
    private @Nullable String q;
    private @Nullable String cursor;
    private @Nullable Integer limit;
    private @Nullable Integer offset;

    private Question() {}

    static Query of(String line) throws LineException {
        Question question = new Question();
        Json.read(line, question::read);
        if (question.q == null) {
            throw new LineException("q is missing: the query as a string, such as \"tool=git\"");
        }
        Query query = Query.parse(question.q).layout(Query.Layout.JSON);
        query = question.limit == null ? query : query.limit(question.limit);
        query = question.offset == null ? query : query.offset(question.offset);
        return question.cursor == null ? query : query.after(question.cursor);
    }

    private void read(String name, JsonParser p) throws IOException, LineException {
        if (p.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        switch (name) {
            case "q" -> q = Json.string(name, p);
            case "cursor" -> cursor = Json.string(name, p);
            case "limit" -> limit = Json.number(name, p, 1, Integer.MAX_VALUE);
            case "offset" -> offset = Json.number(name, p, 0, Integer.MAX_VALUE);
            default -> {} // the asker's own
        }
    }
}

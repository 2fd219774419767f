package dev.xmem.adk;

import com.google.adk.JsonBaseModel;
import dev.xmem.Advice;
import io.reactivex.rxjava3.core.Maybe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What tools return: maps, of which one field says how it went. Stateless. */
final class Results {
    private static final List<String> FIELDS = List.of("error_message", "error", "message", "result");

    private static final String KNOWN = "from_memory";

    private Results() {}

    /** What a tool said: the text where there is one, else the result as JSON. */
    static String text(Map<String, Object> result) {
        boolean failed = "error".equals(result.get("status"));
        for (String field : FIELDS) {
            if (result.get(field) instanceof String text && !text.isBlank()) {
                return failed ? "Error: " + text : text;
            }
        }
        return JsonBaseModel.toJsonString(result);
    }

    /** The result with what is known beside it; empty, so that it stays as it is, where nothing is. */
    static Maybe<Map<String, Object>> told(Map<String, Object> result, Advice advice) {
        if (advice.isEmpty()) {
            return Maybe.empty();
        }
        Map<String, Object> told = new LinkedHashMap<>(result);
        told.put(KNOWN, advice.text().strip());
        return Maybe.just(told);
    }
}

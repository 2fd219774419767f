package dev.xmem.adk;

import com.google.adk.JsonBaseModel;
import dev.xmem.Advice;
import io.reactivex.rxjava3.core.Maybe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and extends the results of tools: maps with a status field. Stateless. */
final class ToolResults {
    private static final List<String> FIELDS = List.of("error_message", "error", "message", "result", "error_details");

    private static final String ADVICE_FIELD = "from_memory";

    private ToolResults() {}

    /** Whether a result says that it is an error. A plug-in that asks the model to reflect has a word of its own. */
    static boolean isError(Map<String, Object> result) {
        return "error".equals(result.get("status"))
                || result.get("response_type") instanceof String type && type.startsWith("ERROR");
    }

    /** The text of a result: its first text field, otherwise the result as JSON. */
    static String text(Map<String, Object> result) {
        boolean failed = isError(result);
        if (result.containsKey("exit_code") || result.containsKey("stderr") || result.containsKey("stdout")) {
            return JsonBaseModel.toJsonString(result); // the guard reads the result of a process
        }
        for (String field : FIELDS) {
            if (result.get(field) instanceof String text && !text.isBlank()) {
                return failed ? "Error: " + text : text;
            }
        }
        return JsonBaseModel.toJsonString(result);
    }

    /**
     * The result with the advice added as {@code from_memory}; empty, which keeps the result, if there is no advice.
     */
    static Maybe<Map<String, Object>> withAdvice(Map<String, Object> result, Advice advice) {
        if (advice.isEmpty()) {
            return Maybe.empty();
        }
        Map<String, Object> advised = new LinkedHashMap<>(result);
        advised.put(ADVICE_FIELD, advice.text().strip());
        return Maybe.just(advised);
    }
}

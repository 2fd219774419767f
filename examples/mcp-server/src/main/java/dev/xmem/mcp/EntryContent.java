package dev.xmem.mcp;

import static dev.xmem.mcp.ObjectSchema.lower;

import com.fasterxml.jackson.databind.JsonNode;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Entries and matches as structured content, without nulls and each fact once (docs/adr/0045-structured-content.md).
 */
final class EntryContent {
    private static final TokenEstimator TOKENS = TokenEstimator.heuristic();

    private EntryContent() {}

    /** The members of an entry that are not null. */
    static JsonNode of(Entry entry) throws IOException {
        return withoutNulls(JsonRpc.JSON.readTree(entry.json()));
    }

    private static JsonNode withoutNulls(JsonNode node) {
        for (var children = node.iterator(); children.hasNext(); ) {
            JsonNode child = children.next();
            if (child.isNull()) {
                children.remove();
            } else {
                withoutNulls(child);
            }
        }
        return node;
    }

    /**
     * The matches as far as the tokens suffice. With entries, the first ones have them; the others, and those without,
     * have what they advise.
     */
    static List<Map<String, Object>> matches(List<Match> matches, int tokens, boolean entries) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        int left = tokens;
        boolean whole = entries;
        for (Match match : matches) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", match.entry().id());
            one.put("likeness", lower(match.matchType()));
            one.put("score", match.score());
            one.put("because", match.explanation());
            Map<String, Object> detail = Map.of();
            if (whole) {
                detail = Map.of("entry", of(match.entry()));
                whole = tokens(one) + tokens(detail) <= left;
            }
            one.putAll(whole ? detail : advised(match.entry()));
            left -= tokens(one);
            if (left < 0) {
                break;
            }
            all.add(one);
        }
        return all;
    }

    private static int tokens(Object content) throws IOException {
        return TOKENS.estimate(JsonRpc.JSON.writeValueAsString(content));
    }

    private static Map<String, Object> advised(Entry entry) {
        Map<String, Object> advice = new LinkedHashMap<>();
        if (entry instanceof Failure failure) {
            String avoid = failure.patternAvoid();
            if (avoid != null) {
                advice.put("pattern_avoid", avoid);
            }
        } else if (entry instanceof Success success) {
            advice.put("pattern_name", success.patternName());
            if (!success.keySteps().isEmpty()) {
                advice.put("key_steps", success.keySteps());
            }
        }
        return advice;
    }
}

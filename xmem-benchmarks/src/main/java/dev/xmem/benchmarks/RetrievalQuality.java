package dev.xmem.benchmarks;

import dev.xmem.Entry;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.benchmarks.figures.JsonTree;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Measures search in words on corpora of other projects, beside SQLite FTS5 without stop words. Prints a table.
 *
 * <pre>
 * java -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.RetrievalQuality locomo10.json
 * java -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.RetrievalQuality records.json queries.json
 * </pre>
 *
 * The first form reads conversations of LoCoMo: each turn is a note of one store, and each question with evidence is a
 * query. The second form reads the records and queries of the retrieval corpus of AgentExperience.NET: each record is a
 * note.
 */
public final class RetrievalQuality {
    /** The questions of this category have no answer in the conversation. */
    private static final double UNANSWERABLE = 5;

    private static final int MAX_RESULTS = 10;
    private static final Set<String> STOP_WORDS =
            Set.of(("a about after again all am an and any are as at be because been"
                            + " before being both but by can could did do does doing during each few for from further had has"
                            + " have having he her here hers him his how i if in into is it its just me more most my no nor not"
                            + " of off on once only or other our out over own same she should so some such t than that the their"
                            + " them then there these they this those through to too under until up very was we were what when"
                            + " where which while who whom why will with would you your s")
                    .split(" "));

    private RetrievalQuality() {}

    /** A request and the ids of the texts that answer it. */
    private record Request(String words, Set<String> relevant) {}

    public static void main(String[] args) throws Exception {
        Map<String, String> texts = new LinkedHashMap<>();
        List<Request> requests = new ArrayList<>();
        if (args.length == 1) {
            conversations(Path.of(args[0]), texts, requests);
        } else {
            records(Path.of(args[0]), Path.of(args[1]), texts, requests);
        }
        System.out.println("## " + Path.of(args[0]).getFileName() + ": " + texts.size() + " texts, " + requests.size()
                + " requests\n");
        System.out.println("| | hit@1 | hit@3 | hit@5 | hit@10 | wrong in 8 | unanswerable and silent |\n"
                + "| --- | --- | --- | --- | --- | --- | --- |");
        try (XMemStore store = XMem.inMemoryBuilder().open();
                Fts5Index index = new Fts5Index()) {
            Map<String, String> ids = new HashMap<>();
            for (Map.Entry<String, String> text : texts.entrySet()) {
                ids.put(store.writeNote(Note.of("note", text.getValue())).id(), text.getKey());
                index.add(text.getKey(), text.getValue());
            }
            measure("search", requests, words -> search(store, ids, Query.words(words)));
            measure(
                    "deep search",
                    requests,
                    words -> search(store, ids, Query.words(words).deep()));
            measure("FTS5 without stop words", requests, words -> {
                try {
                    return index.search(words, STOP_WORDS, MAX_RESULTS);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static List<String> search(XMemStore store, Map<String, String> ids, Query query) {
        return store.search(query.limit(MAX_RESULTS)).matches().stream()
                .map(match -> match.entry())
                .map(Entry::id)
                .map(id -> ids.getOrDefault(id, ""))
                .toList();
    }

    private static void measure(String name, List<Request> requests, Function<String, List<String>> search) {
        int[] hits = new int[MAX_RESULTS];
        int answerable = 0;
        int silent = 0;
        int wrong = 0;
        for (Request request : requests) {
            List<String> found = search.apply(request.words);
            List<String> seen = found.subList(0, Math.min(RetrievalMetrics.CUTOFF, found.size()));
            wrong += (int)
                    seen.stream().filter(id -> !request.relevant.contains(id)).count();
            answerable += request.relevant.isEmpty() ? 0 : 1;
            silent += request.relevant.isEmpty() && found.isEmpty() ? 1 : 0;
            for (int i = 0; i < found.size(); i++) {
                if (request.relevant.contains(found.get(i))) {
                    for (int k = i; k < MAX_RESULTS; k++) {
                        hits[k]++;
                    }
                    break;
                }
            }
        }
        double n = Math.max(1, answerable);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.3f | %.3f | %.3f | %.3f | %.2f | %d of %d |%n",
                name,
                hits[0] / n,
                hits[2] / n,
                hits[4] / n,
                hits[9] / n,
                wrong / (double) Math.max(1, requests.size()),
                silent,
                requests.size() - answerable);
    }

    /** Reads conversations; the id of a turn begins with the number of its conversation. */
    private static void conversations(Path file, Map<String, String> texts, List<Request> requests) throws Exception {
        int number = 0;
        for (Object conversation : (List<?>) JsonTree.read(file)) {
            String prefix = number++ + "/";
            Map<?, ?> object = (Map<?, ?>) conversation;
            for (Map.Entry<?, ?> session : ((Map<?, ?>) object.get("conversation")).entrySet()) {
                if (session.getValue() instanceof List<?> turns) {
                    for (Object turn : turns) {
                        Map<?, ?> said = (Map<?, ?>) turn;
                        texts.put(prefix + said.get("dia_id"), said.get("speaker") + ": " + said.get("text"));
                    }
                }
            }
            for (Object question : (List<?>) object.get("qa")) {
                Map<?, ?> asked = (Map<?, ?>) question;
                Set<String> relevant = new HashSet<>();
                for (Object evidence : (List<?>) asked.get("evidence")) {
                    for (String turn : evidence.toString().split("[;, ]+")) {
                        relevant.add(prefix + turn);
                    }
                }
                relevant.retainAll(texts.keySet());
                if (!relevant.isEmpty() && !asked.get("category").equals(UNANSWERABLE)) {
                    requests.add(new Request(asked.get("question").toString(), relevant));
                }
            }
        }
    }

    private static void records(Path records, Path queries, Map<String, String> texts, List<Request> requests)
            throws Exception {
        for (Object record : (List<?>) ((Map<?, ?>) JsonTree.read(records)).get("records")) {
            Map<?, ?> fields = (Map<?, ?>) record;
            texts.put(fields.get("id").toString(), fields.get("summary") + ". " + fields.get("lesson"));
        }
        for (Object query : (List<?>) ((Map<?, ?>) JsonTree.read(queries)).get("queries")) {
            Map<?, ?> fields = (Map<?, ?>) query;
            Set<String> relevant = new HashSet<>();
            ((List<?>) fields.get("expected")).forEach(id -> relevant.add(id.toString()));
            requests.add(new Request(fields.get("text").toString(), relevant));
        }
    }
}

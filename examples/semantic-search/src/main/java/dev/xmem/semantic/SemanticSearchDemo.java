package dev.xmem.semantic;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.spi.Embedder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the same questions with and without a model.
 *
 * <p>Without arguments it uses a few built-in failures and questions. With two NDJSON files, errors ({@code
 * {"scenario","tool","action","error"}}) and questions ({@code {"q","relevant":[scenario]}}), it prints recall@1 and
 * recall@3 over a store with the first error of each scenario.
 */
public final class SemanticSearchDemo {
    private SemanticSearchDemo() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 0 && args.length != 2) {
            System.err.println("usage: semantic-search [ERRORS.jsonl QUESTIONS.jsonl]");
            System.exit(2);
        }
        Embedder model = new MiniLm();
        if (args.length == 2) {
            EvaluationCorpus corpus =
                    EvaluationCorpus.read(Files.readString(Path.of(args[0])), Files.readString(Path.of(args[1])));
            System.out.println("terms only:      " + corpus.ask(null));
            System.out.println("terms and model: " + corpus.ask(model));
            return;
        }
        for (String question : List.of("the settings file lacks what it wants", "another program is listening there")) {
            System.out.println(question);
            System.out.println("  terms only:      " + answer(null, question));
            System.out.println("  terms and model: " + answer(model, question));
        }
    }

    /** The best answer to a question over three failures. */
    static String answer(@Nullable Embedder model, String question) {
        try (XMemStore store = EvaluationCorpus.open(model)) {
            store.recordFailure(Failure.of("rclone", "sync", "didn't find section in config file"));
            store.recordFailure(Failure.of("docker", "run", "Bind for 0.0.0.0:8080 failed: port is already allocated"));
            store.recordFailure(Failure.of("git", "push", "fatal: The current branch x has no upstream branch."));
            List<Match> matches = store.search(Query.words(question)).matches();
            return matches.isEmpty()
                    ? "nothing"
                    : matches.get(0).entry().id() + ", because "
                            + matches.get(0).explanation();
        }
    }
}

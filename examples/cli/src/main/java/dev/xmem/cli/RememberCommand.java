package dev.xmem.cli;

import dev.xmem.Directive;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem remember}: a user's rule, preference or constraint. */
@Command(
        name = "remember",
        description = {
            "Remembers what the user decided, and confirms it in one line. What is known already gets stronger.",
            "A SENTENCE is [global:] [add to memory that | remember that] and then never …, do not …, always …, I prefer …"
                    + " [over …], avoid …, must … or must never …, each with because … if you like. Anything else needs"
                    + " --subject, --predicate and --object.",
            "It holds in this project, docs/memory/memories.ndjson under the top of the git working tree (or the working"
                    + " directory), or, with \"global:\" or --global, in all: ~/.skill_master/memory/memories.ndjson. With"
                    + " --store both are in that store's own file."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem remember add to memory that never run build repeatedly because it is heavy",
            "  xmem remember \"global: add to memory that I prefer pnpm\"",
            "  xmem remember --subject deploys --predicate need --object \"a green pipeline\" --kind constraint --tag ci",
            "What is transient (\"today\", \"this session\"), too long or holds a secret is refused with exit code 1."
        })
final class RememberCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(arity = "0..*", paramLabel = "SENTENCE", description = "The sentence, in one or several arguments.")
    List<String> sentence = new ArrayList<>();

    @Option(names = "--subject", paramLabel = "S", description = "What it is about.")
    @Nullable String subject;

    @Option(names = "--predicate", paramLabel = "P", description = "How the two are related: is, needs, uses, …")
    @Nullable String predicate;

    @Option(names = "--object", paramLabel = "O", description = "What is said of the subject.")
    @Nullable String object;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "${COMPLETION-CANDIDATES}; of a triple. Default: rule.",
            completionCandidates = Kinds.class)
    @Nullable String kind;

    @Option(names = "--canonical", paramLabel = "TEXT", description = "The sentence to show, at most 240 characters.")
    @Nullable String canonical;

    @Option(names = "--tag", paramLabel = "T", description = "A word to find it by; may be given several times.")
    List<String> tags = new ArrayList<>();

    @Option(names = "--global", description = "In all projects of this user.")
    boolean global;

    RememberCommand(Root root) {
        this.root = root;
    }

    /** The kinds, for the shell to complete. */
    static final class Kinds implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("rule", "preference", "constraint").iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        return DirectiveAnswer.of(root, () -> {
            Directive.Draft draft = draft();
            try (XMemStore store = root.stores().directivesToWrite()) {
                return Patience.until(() -> store.remember(draft));
            }
        });
    }

    private Directive.Draft draft() {
        boolean triple = subject != null || predicate != null || object != null || kind != null;
        if (triple && !sentence.isEmpty()) {
            throw new UsageException("give a sentence, or --subject, --predicate, --object and --kind, not both");
        }
        Directive.Draft draft = triple || sentence.isEmpty() ? ofTriple() : Directive.parse(String.join(" ", sentence));
        draft = canonical == null ? draft : draft.canonical(canonical);
        draft = tags.isEmpty() ? draft : draft.tags(tags.toArray(String[]::new));
        return global ? draft.global() : draft;
    }

    private Directive.Draft ofTriple() {
        if (subject == null || predicate == null || object == null) {
            throw new UsageException(
                    "what should be remembered? Give a sentence such as \"never run build repeatedly\","
                            + " or --subject, --predicate and --object, all three");
        }
        Directive.Triple triple = new Directive.Triple(subject, predicate, object);
        return switch (kind == null ? "rule" : kind.toLowerCase(Locale.ROOT)) {
            case "rule" -> Directive.rule(triple);
            case "preference" -> Directive.preference(triple);
            case "constraint" -> Directive.constraint(triple);
            default -> throw new UsageException("--kind is rule, preference or constraint, not " + kind);
        };
    }
}

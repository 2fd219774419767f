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

/** {@code xmem remember}: stores a rule, preference or constraint of the user. */
@Command(
        name = "remember",
        description = {
            "Stores a directive of the user and confirms it in one line. A directive that is already stored"
                    + " becomes stronger.",
            "SENTENCE is [global:] [add to memory that | remember that], followed by never …, do not …,"
                    + " always …, I prefer … [over …], avoid …, must … or must never …, each optionally with because …."
                    + " Other sentences need --subject, --predicate and --object.",
            "The directive applies to this project, in docs/memory/memories.ndjson below the root of the git"
                    + " working tree (or the working directory), or, with \"global:\" or --global, to all projects, in"
                    + " ~/.skill_master/memory/memories.ndjson. With --store both are stored in that store."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem remember add to memory that never run build repeatedly because it is heavy",
            "  xmem remember \"global: add to memory that I prefer pnpm\"",
            "  xmem remember --subject deploys --predicate need --object \"a green pipeline\" --kind constraint --tag ci",
            "A sentence that is transient (\"today\", \"this session\"), too long or contains a",
            "secret is refused with exit code 1."
        })
final class RememberSubcommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(arity = "0..*", paramLabel = "SENTENCE", description = "The sentence, in one or several arguments.")
    List<String> sentence = new ArrayList<>();

    @Option(names = "--subject", paramLabel = "S", description = "The subject of the statement.")
    @Nullable String subject;

    @Option(names = "--predicate", paramLabel = "P", description = "The relation: is, needs, uses, …")
    @Nullable String predicate;

    @Option(names = "--object", paramLabel = "O", description = "The object of the statement.")
    @Nullable String object;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "${COMPLETION-CANDIDATES}; only with --subject. Default: rule.",
            completionCandidates = Kinds.class)
    @Nullable String kind;

    @Option(names = "--canonical", paramLabel = "TEXT", description = "The sentence to show, at most 240 characters.")
    @Nullable String canonical;

    @Option(names = "--tag", paramLabel = "T", description = "A tag; may be repeated.")
    List<String> tags = new ArrayList<>();

    @Option(names = "--global", description = "Apply to all projects of this user.")
    boolean global;

    RememberSubcommand(RootCommand root) {
        this.root = root;
    }

    /** The kinds, for shell completion. */
    static final class Kinds implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("rule", "preference", "constraint").iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        return DirectiveOutput.of(root, () -> {
            Directive.Draft draft = draft();
            try (XMemStore store = root.stores().directivesForWriting()) {
                return BusyRetry.call(() -> store.remember(draft));
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
            throw new UsageException("nothing to remember: give a sentence such as \"never run build repeatedly\","
                    + " or --subject, --predicate and --object");
        }
        Directive.Triple triple = new Directive.Triple(subject, predicate, object);
        return switch (kind == null ? "rule" : kind.toLowerCase(Locale.ROOT)) {
            case "rule" -> Directive.rule(triple);
            case "preference" -> Directive.preference(triple);
            case "constraint" -> Directive.constraint(triple);
            default -> throw new UsageException("--kind must be rule, preference or constraint, not " + kind);
        };
    }
}

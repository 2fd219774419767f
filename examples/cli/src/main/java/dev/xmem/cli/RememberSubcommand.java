package dev.xmem.cli;

import dev.xmem.Directive;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            "SENTENCE is [global:] [add to memory that | remember that | remember globally that], followed by never …,"
                    + " do not …, always …, from now on …, I prefer … [over …], avoid …, … must … or … must never …, each"
                    + " optionally with because …. A further sentence of such a form is a directive of its own. Other"
                    + " sentences need --subject, --predicate and --object.",
            "A directive that contradicts one that wins over it is stored too; the confirmation says which of them"
                    + " holds and why.",
            "The directive applies to this project, in docs/memory/memories.ndjson below the root of the git"
                    + " working tree (or the working directory), or, with \"global:\" or --global, to all projects, in"
                    + " ~/.skill_master/memory/memories.ndjson. With --store both are stored in that store."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem remember \"always use pnpm. Never use npm.\"",
            "  xmem remember add to memory that never run build repeatedly because it is heavy",
            "  xmem remember \"global: add to memory that I prefer pnpm\"",
            "  xmem remember --subject deploys --predicate need --object \"a green pipeline\" --kind constraint --tag ci",
            "A sentence that is transient (\"today\", \"this session\"), too long or contains a",
            "secret is refused with exit code 1."
        })
final class RememberSubcommand extends Subcommand {
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
            List<Directive.Draft> drafts = drafts();
            try (XMemStore store = root.stores().directivesForWriting()) {
                return BusyRetry.call(() -> store.recordAll(drafts)).stream()
                        .map(Directive.class::cast)
                        .toList();
            }
        });
    }

    private List<Directive.Draft> drafts() {
        boolean triple = subject != null || predicate != null || object != null || kind != null;
        if (triple && !sentence.isEmpty()) {
            throw new UsageException("give a sentence, or --subject, --predicate, --object and --kind, not both");
        }
        List<Directive.Draft> drafts =
                triple || sentence.isEmpty() ? List.of(ofTriple()) : Directive.parseAll(String.join(" ", sentence));
        if (canonical != null && drafts.size() > 1) {
            throw new UsageException("--canonical is for one directive, and the text states " + drafts.size());
        }
        return drafts.stream().map(this::withOptions).toList();
    }

    private Directive.Draft withOptions(Directive.Draft given) {
        Directive.Draft draft = canonical == null ? given : given.canonical(canonical);
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

package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What answers of engines share where no answer is the only right one, and where an engine stopped looking. */
public final class Agreement {
    private final Stock stock;

    private Agreement(Stock stock) {
        this.stock = stock;
    }

    /**
     * One sentence for each such question that was asked.
     *
     * @param folder as the parameter of the benchmarks
     */
    public static List<String> sentences(String folder, int entries, Set<String> engines) throws IOException {
        Agreement agreement = new Agreement(new Stock(folder, entries));
        List<String> sentences = new ArrayList<>();
        for (Ask ask : Ask.values()) {
            for (String engine : engines) {
                agreement.gaveUp(engine, ask).ifPresent(sentences::add);
                if (!ask.exact() && !engine.equals("xmem")) {
                    agreement.shared(engine, ask).ifPresent(sentences::add);
                }
            }
        }
        return sentences.stream()
                .map(sentence -> String.format(Locale.ROOT, "%,d entries, %s", entries, sentence))
                .toList();
    }

    private List<Question> answers(String engine, Ask ask) throws IOException {
        Path file = stock.answers(engine, ask);
        return Files.exists(file) ? QuestionFile.read(file).getOrDefault(ask, List.of()) : List.of();
    }

    private Optional<String> gaveUp(String engine, Ask ask) throws IOException {
        List<Question> answers = answers(engine, ask);
        long gaveUp = answers.stream()
                .filter(answer -> answer.ids().equals(List.of(SearchTrial.GAVE_UP)))
                .count();
        return gaveUp == 0
                ? Optional.empty()
                : Optional.of(ask.label() + ": " + engine + " stopped at its own limit in " + gaveUp + " of "
                        + answers.size() + " questions, after the time shown.");
    }

    private Optional<String> shared(String engine, Ask ask) throws IOException {
        List<Question> ours = answers("xmem", ask);
        List<Question> theirs = answers(engine, ask);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%s: of what xmem shows, %s shows %.0f %%.",
                ask.label(),
                engine,
                100 * share(ours, theirs)));
    }

    /** The mean share of the first one's ids that the other one gives to the same question too. */
    static double share(List<Question> ours, List<Question> theirs) {
        double sum = 0;
        int asked = 0;
        for (Question one : ours) {
            for (Question other : theirs) {
                if (one.text().equals(other.text()) && !one.ids().isEmpty()) {
                    Set<String> both = new HashSet<>(one.ids());
                    both.retainAll(other.ids());
                    sum += both.size() / (double) one.ids().size();
                    asked++;
                }
            }
        }
        return asked == 0 ? 0 : sum / asked;
    }
}

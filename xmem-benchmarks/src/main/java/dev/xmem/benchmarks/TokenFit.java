package dev.xmem.benchmarks;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Computes the coefficients of {@link TokenEstimator#heuristic()} from a fixed corpus and prints them, followed by
 * the error of the built-in estimator on both halves of the corpus.
 *
 * <pre>
 * java -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.TokenFit \
 *     xmem-api/src/test/resources/dev/xmem/spi/tokens
 * </pre>
 *
 * The fit minimises the squared relative errors over the {@code fit} half (stored lines, cards and pages), against
 * {@link #MARGIN} times the mean of o200k_base and cl100k_base. Each coefficient stays between its floor and its cap.
 * The caps make the estimate grow with the text and keep it below the number of UTF-8 bytes. Equal floor and cap fix
 * a value: a whole token, or a feature that entries rarely have (long words, repeated punctuation, other scripts).
 */
public final class TokenFit {
    private static final double MARGIN = 1.03;
    private static final int[] PAGE_ENTRIES = {1, 2, 3, 5, 8, 10, 15, 20, 35, 50, 70};

    /**
     * The features: floor and cap in milli-tokens, and the rule over kind, previous kind, position in the run and
     * same char.
     */
    private enum Term {
        WORD(0, 1000, (k, b, run, same) -> Character.isLetter(k) && run == 1),
        WORD_4(0, 1000, (k, b, run, same) -> Character.isLetter(k) && run == 4),
        WORD_6(0, 1000, (k, b, run, same) -> Character.isLetter(k) && run == 6),
        WORD_MORE(200, 200, (k, b, run, same) -> Character.isLetter(k) && run > 12),
        ACCENT(0, 1000, (k, b, run, same) -> k == 'à'),
        CAPITAL(0, 1000, (k, b, run, same) -> k == 'A' && b == 'A'),
        DIGITS(1000, 1000, (k, b, run, same) -> k == '1' && run % 3 == 1),
        BLANKS(1000, 1000, (k, b, run, same) -> k == ' ' && run == 2),
        BLANK_BEFORE_DIGIT(1000, 1000, (k, b, run, same) -> false),
        NEWLINE(1000, 1000, (k, b, run, same) -> k == '\n' && run == 1 && b != '.'),
        MARK_BEFORE_WORD(0, 1000, (k, b, run, same) -> k == '.' && run == 1),
        MARK(1000, 1000, (k, b, run, same) -> k == '.' && run == 2),
        MARK_MORE(0, 1000, (k, b, run, same) -> k == '.' && run > 3 && !same),
        ESCAPE(0, 1500, (k, b, run, same) -> k == '!'),
        REPEAT(40, 40, (k, b, run, same) -> k == '\n' && run > 1 || run > 2 && (k == ' ' || k == '.' && same)),
        SCRIPT(550, 550, (k, b, run, same) -> k == '~'),
        SYMBOL(1000, 1000, (k, b, run, same) -> k == '$'),
        WIDE(900, 900, (k, b, run, same) -> k == '#');

        private final double floor;
        private final double cap;
        private final Rule rule;

        Term(int floor, int cap, Rule rule) {
            this.floor = floor / 1000.0;
            this.cap = cap / 1000.0;
            this.rule = rule;
        }
    }

    private interface Rule {
        boolean counts(char kind, char before, int run, boolean same);
    }

    private TokenFit() {}

    public static void main(String[] args) throws IOException {
        var registry = Encodings.newLazyEncodingRegistry();
        Encoding o200k = registry.getEncoding(EncodingType.O200K_BASE);
        Encoding cl100k = registry.getEncoding(EncodingType.CL100K_BASE);
        List<String> texts = new ArrayList<>();
        read(Path.of(args[0]), "fit").values().forEach(texts::addAll);
        ToDoubleFunction<String> tokens = t -> (o200k.countTokensOrdinary(t) + cl100k.countTokensOrdinary(t)) / 2.0;
        double[] coefficients = solve(
                texts.stream().map(TokenFit::count).toArray(double[][]::new),
                texts.stream().mapToDouble(tokens).map(n -> MARGIN * n).toArray());
        for (Term c : Term.values()) {
            System.out.printf("%-20s %5.0f%n", c, coefficients[c.ordinal()] * 1000);
        }
        System.out.printf("%n%-25s%6s%8s%8s%8s%8s%n", "", "n", "p50", "p95", "over", "under");
        for (String half : List.of("fit", "held-out")) {
            for (Map.Entry<String, List<String>> kind :
                    read(Path.of(args[0]), half).entrySet()) {
                print(half + " " + kind.getKey() + " o200k", o200k, kind.getValue());
                print(half + " " + kind.getKey() + " cl100k", cl100k, kind.getValue());
            }
        }
    }

    /** Reads the texts of one half. Entries are stored lines; pages consist of lines, cards or list items. */
    private static Map<String, List<String>> read(Path folder, String half) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(half + "-lines.ndjson"));
        String cards = Files.readString(folder.resolve(half + "-cards.txt"));
        List<String> pages = pages(lines, "\n");
        pages.addAll(pages(List.of(cards.split("\f\n", -1)), "\n\n"));
        pages.addAll(pages(Files.readAllLines(folder.resolve(half + "-list.txt")), "\n"));
        return new TreeMap<>(Map.of("entries", lines, "cards", List.of(cards.split("\f\n", -1)), "pages", pages));
    }

    private static List<String> pages(List<String> entries, String between) {
        Random random = new Random(1);
        List<String> order = new ArrayList<>(entries);
        List<String> pages = new ArrayList<>();
        for (int i = 0; i < 110; i++) {
            Collections.shuffle(order, random);
            List<String> picked = order.subList(0, PAGE_ENTRIES[i % PAGE_ENTRIES.length]);
            pages.add("Found " + picked.size() + " entries:\n\n" + String.join(between, picked) + "\n");
        }
        return pages;
    }

    private static void print(String name, Encoding encoding, List<String> texts) {
        ToDoubleFunction<String> error =
                t -> TokenEstimator.heuristic().estimate(t) / (double) encoding.countTokensOrdinary(t) - 1;
        double[] errors = texts.stream().mapToDouble(error).sorted().toArray();
        double[] sizes = Arrays.stream(errors).map(Math::abs).sorted().toArray();
        double p50 = 100 * sizes[sizes.length / 2];
        double p95 = 100 * sizes[sizes.length * 95 / 100];
        System.out.printf(
                "%-25s%6d%7.1f%%%7.1f%%%7.1f%%%7.1f%%%n",
                name, errors.length, p50, p95, 100 * errors[errors.length - 1], -100 * errors[0]);
    }

    /** Counts the features of a text: the pass of the estimator, with counts in place of sums. */
    private static double[] count(String text) {
        double[] n = new double[Term.values().length];
        char before = '^';
        char last = 0;
        int run = 0;
        for (char c : text.toCharArray()) {
            char kind = last == '\\' && Character.isLetter(kind(c)) ? '!' : kind(c);
            boolean word = Character.isLetter(kind);
            if (before == '.' && run == 1 && kind != '!' && !word) {
                n[Term.MARK_BEFORE_WORD.ordinal()]--;
                n[Term.MARK.ordinal()] += kind == '.' ? 0 : 1;
            }
            if (before == ' ' && run == 1 && kind == '1') {
                n[Term.BLANK_BEFORE_DIGIT.ordinal()]++;
            }
            boolean continues = kind == before || word && Character.isLetter(before) && (before != 'a' || kind != 'A');
            run = continues ? run + 1 : kind == '.' && before == ' ' ? 2 : 1;
            for (Term each : Term.values()) {
                n[each.ordinal()] += each.rule.counts(kind, before, run, c == last) ? 1 : 0;
            }
            before = kind;
            last = c;
        }
        return n;
    }

    /**
     * Returns a char for each kind: a letter, a digit, a space or a newline for itself, and . (punctuation) !
     * (escape) ~ (script) $ (symbol) # (wide).
     */
    private static char kind(char c) {
        if (c >= 0x80) {
            return c >= 0xC0 && c < 0x250 ? 'à' : c < 0x2000 ? '~' : c < 0x2E80 ? '$' : '#';
        }
        if (Character.isLetterOrDigit(c)) {
            return c >= 'a' ? 'a' : c >= 'A' ? 'A' : '1';
        }
        return c == ' ' || c == '\t' ? ' ' : c == '\n' || c == '\r' ? '\n' : '.';
    }

    /** Solves the bounded least-squares problem of relative errors by cyclic coordinate descent. */
    private static double[] solve(double[][] counts, double[] tokens) {
        double[] x = Arrays.stream(Term.values()).mapToDouble(c -> c.cap).toArray();
        double[] rest = new double[tokens.length];
        for (int row = 0; row < rest.length; row++) {
            rest[row] = 1;
            for (int i = 0; i < x.length; i++) {
                counts[row][i] /= tokens[row];
                rest[row] -= counts[row][i] * x[i];
            }
        }
        for (int round = 0; round < 2_000; round++) {
            for (Term c : Term.values()) {
                int i = c.ordinal();
                double slope = 0;
                double curve = 1e-9;
                for (int row = 0; row < rest.length; row++) {
                    slope += counts[row][i] * rest[row];
                    curve += counts[row][i] * counts[row][i];
                }
                double step = Math.max(c.floor, Math.min(c.cap, x[i] + slope / curve)) - x[i];
                for (int row = 0; row < rest.length; row++) {
                    rest[row] -= counts[row][i] * step;
                }
                x[i] += step;
            }
        }
        return x;
    }
}

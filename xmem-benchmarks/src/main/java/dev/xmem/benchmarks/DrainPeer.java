package dev.xmem.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The log parser Drain: a tree of fixed depth finds the clusters of messages of one length that begin with the same
 * tokens, and a message joins the most similar of them. Every tool has a tree of its own. Not thread-safe.
 *
 * @see <a href="https://doi.org/10.1109/ICWS.2017.13">He, Zhu, Zheng, Lyu: Drain: An Online Log Parsing Approach with
 *     Fixed Depth Tree, ICWS 2017</a>
 */
final class DrainPeer {
    /** The leading tokens that choose a leaf; the paper's depth of 4 includes the root and the length. */
    private static final int LEADING = 2;

    private static final double SIMILARITY = 0.4;
    private static final int MAX_CHILDREN = 100;
    private static final String ANY = "<*>";
    private static final Pattern ERROR_WORD = Pattern.compile(
            "error|fatal|fail|cannot|can't|could not|couldn't|unable|denied|refused|not found|no such|invalid|missing"
                    + "|unknown|undefined|exception|unexpected|rejected|conflict|unresolved|timed? ?out|does not|doesn't"
                    + "|is not|already",
            Pattern.CASE_INSENSITIVE);

    private final Map<String, Node> trees = new HashMap<>();
    private int clusters;

    /** Adds the message of a failure and returns the number of its template. */
    int add(ErrorCorpus.Event event) {
        return cluster(trees.computeIfAbsent(event.tool(), tool -> new Node()), maskedErrorLine(event.error()));
    }

    private int cluster(Node tree, String message) {
        String[] tokens = message.isEmpty() ? new String[] {""} : message.split("\\s+");
        Node node = tree.child(Integer.toString(tokens.length));
        for (int i = 0; i < Math.min(LEADING, tokens.length); i++) {
            boolean varies =
                    tokens[i].contains("<") || tokens[i].chars().anyMatch(Character::isDigit) || node.isFull(tokens[i]);
            node = node.child(varies ? ANY : tokens[i]);
        }
        Cluster best = null;
        double similarity = SIMILARITY;
        for (Cluster candidate : node.clusters) {
            double candidateSimilarity = candidate.similarity(tokens);
            if (candidateSimilarity >= similarity && (best == null || candidateSimilarity > similarity)) {
                best = candidate;
                similarity = candidateSimilarity;
            }
        }
        if (best == null) {
            best = new Cluster(++clusters, tokens);
            node.clusters.add(best);
        } else {
            best.generalize(tokens);
        }
        return best.number;
    }

    /** Returns, masked, the last line of a traceback, else the first line with a word of failure, else the first. */
    static String maskedErrorLine(String error) {
        List<String> lines = Arrays.stream(error.split("\n"))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (lines.isEmpty()) {
            return "";
        }
        boolean traceback = lines.stream().anyMatch(line -> line.startsWith("Traceback (most recent"));
        String line = traceback
                ? lines.get(lines.size() - 1)
                : lines.stream()
                        .filter(text -> ERROR_WORD.matcher(text).find())
                        .findFirst()
                        .orElse(lines.get(0));
        return Masking.masked(line);
    }

    private static final class Node {
        private final Map<String, Node> children = new HashMap<>();
        private final List<Cluster> clusters = new ArrayList<>();

        boolean isFull(String token) {
            return children.size() >= MAX_CHILDREN && !children.containsKey(token);
        }

        Node child(String token) {
            return children.computeIfAbsent(token, key -> new Node());
        }
    }

    private static final class Cluster {
        private final int number;
        private final String[] tokens;

        Cluster(int number, String[] tokens) {
            this.number = number;
            this.tokens = tokens.clone();
        }

        /** Returns the share of tokens that are equal; both messages have the same number of tokens. */
        double similarity(String[] message) {
            int equal = 0;
            for (int i = 0; i < tokens.length; i++) {
                equal += tokens[i].equals(message[i]) && !tokens[i].equals(ANY) ? 1 : 0;
            }
            return (double) equal / tokens.length;
        }

        void generalize(String[] message) {
            for (int i = 0; i < tokens.length; i++) {
                tokens[i] = tokens[i].equals(message[i]) ? tokens[i] : ANY;
            }
        }
    }
}

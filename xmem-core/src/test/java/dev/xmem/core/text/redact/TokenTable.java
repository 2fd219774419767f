package dev.xmem.core.text.redact;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of {@code tokens.txt}, with samples that are random in the alphabet and length of its shapes.
 *
 * @param rule the name in the placeholder
 * @param near the words beside which the token is known; empty if its shape is enough
 * @param shapes its shapes
 */
record TokenTable(String rule, List<String> near, List<String> shapes) {
    private static final Pattern PART = Pattern.compile("\\{(\\[(.+?)\\]|[a-zX])(\\d+)(?:-(\\d+)|(\\+))?\\}");

    static List<TokenTable> lines() {
        List<TokenTable> lines = new ArrayList<>();
        for (String line : RuleFile.lines(RedactionRule.class, "tokens.txt")) {
            String[] columns = line.split(" \\|", -1);
            List<String> near = columns[1].isBlank()
                    ? List.of()
                    : List.of(columns[1].strip().split(" "));
            lines.add(new TokenTable(
                    columns[0].strip(), near, List.of(columns[2].strip().split(" "))));
        }
        return lines;
    }

    /** The literals with which a shape may begin; one empty literal if it begins with a part. */
    static List<String> literals(String shape) {
        int end = shape.indexOf('{');
        boolean several = shape.charAt(0) == '(';
        String literal = several ? shape.substring(1, shape.indexOf(')')) : shape.substring(0, end);
        return List.of(several ? literal.split("\\|") : new String[] {literal});
    }

    /** A random sample of a shape, with at least one digit. */
    static String sample(String shape, String literal, Random random) {
        String rest =
                shape.charAt(0) == '(' ? shape.substring(shape.indexOf(')') + 1) : shape.substring(literal.length());
        while (true) {
            StringBuilder sample = new StringBuilder(literal);
            Matcher part = PART.matcher(rest);
            while (part.find()) {
                part.appendReplacement(sample, Matcher.quoteReplacement(characters(part, random)));
            }
            part.appendTail(sample);
            if (sample.substring(literal.length()).chars().anyMatch(c -> c >= '0' && c <= '9')) {
                return sample.toString();
            }
        }
    }

    private static String characters(Matcher part, Random random) {
        int min = Integer.parseInt(part.group(3));
        int max = part.group(4) == null ? min + (part.group(5) == null ? 0 : 9) : Integer.parseInt(part.group(4));
        String all = part.group(2) == null ? named(part.group(1)) : part.group(2);
        CharSet set = CharSet.of(all);
        StringBuilder characters = new StringBuilder();
        int length = min + random.nextInt(max - min + 1);
        while (characters.length() < length) {
            char c = (char) (33 + random.nextInt(94));
            boolean end = characters.length() == length - 1 && "=.-/+".indexOf(c) >= 0;
            characters.append(set.has(c) && !end ? String.valueOf(c) : "");
        }
        return characters.toString();
    }

    private static String named(String set) {
        return switch (set) {
            case "w" -> "A-Za-z0-9";
            case "t", "e", "p" -> "A-Za-z0-9_-";
            case "l" -> "a-z0-9";
            case "u" -> "A-Z0-9";
            case "x" -> "a-f0-9";
            case "X" -> "A-Fa-f0-9";
            case "d" -> "0-9";
            case "a" -> "A-Za-z";
            case "b" -> "A-Za-z0-9+/";
            default -> throw new IllegalArgumentException(set);
        };
    }
}

package dev.xmem.core.text.redact;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All rules and the detectors that their triggers run. Immutable; loaded once. */
final class RedactionRules {
    /** The maximum length of a rule's name. */
    static final int LONGEST_NAME = 32;

    /** The rule name of a text that is replaced as a whole. */
    static final String WHOLE = "text";

    private static final RedactionRules BUILT_IN = new RedactionRules(RedactionRule.read("rules.txt"));

    /** The rules in the order of the file. */
    final List<RedactionRule> rules = new ArrayList<>();
    /** The names that occur in placeholders. */
    final Set<String> placeholders = new HashSet<>();

    final SensitiveNames names;
    final FalsePositiveFilter filter;
    final KeyDetector keys;
    final CommandDetector commands;
    final LiteralMatcher triggers;

    private final Map<String, RedactionRule> sections;
    private final List<TokenShape> shapes = new ArrayList<>();

    private RedactionRules(Map<String, RedactionRule> sections) {
        this.sections = sections;
        for (RedactionRule section : sections.values()) {
            if (!section.isList()) {
                rules.add(section);
                placeholders.add(section.name());
            }
        }
        placeholders.add(WHOLE);
        this.names = new SensitiveNames(rules, list("after-name"));
        this.filter = new FalsePositiveFilter(list("nothing"), list("key-words"), list("code"), list("algorithms"));
        this.keys = new KeyDetector(names, filter);
        this.commands = new CommandDetector(section("command-password"));
        this.triggers = new LiteralMatcher(detectors());
    }

    static RedactionRules builtIn() {
        return BUILT_IN;
    }

    private RedactionRule section(String name) {
        return Objects.requireNonNull(sections.get(name), name);
    }

    /** The words of a list. */
    Set<String> list(String name) {
        return new HashSet<>(section("list " + name).words("words"));
    }

    private Map<String, List<SecretDetector>> detectors() {
        Set<String> sums = list("sums");
        Map<String, List<SecretDetector>> detectors = new LinkedHashMap<>();
        add(detectors, RedactionPass.OPEN, (pass, start, end) -> pass.skipPlaceholder(start));
        for (String line : RuleFile.lines(RedactionRules.class, "tokens.txt")) {
            token(detectors, line, sums);
        }
        scan(detectors, "private-key", KeyBlockDetector::detect);
        scan(detectors, "jwt", JwtDetector::detect);
        scan(detectors, "url-password", UrlDetector::detect);
        scan(detectors, "url-signature", UrlDetector::signature);
        scan(detectors, "authorization", new AuthorizationDetector(list("schemes")));
        scan(detectors, "cookie", new CookieDetector(list("cookie-attributes")));
        for (String literal : SensitiveNames.triggers(list("triggers"))) {
            add(detectors, literal, keys);
        }
        commands.addTo(detectors);
        return detectors;
    }

    /** Adds the shapes of a line of the table: beside their vendor's name, or by themselves. */
    private void token(Map<String, List<SecretDetector>> detectors, String line, Set<String> sums) {
        int near = line.indexOf(" |");
        int shape = line.indexOf(" |", near + 2);
        int demand = line.indexOf(" |", shape + 2);
        String rule = line.substring(0, near).strip();
        placeholders.add(rule);
        String words = line.substring(near + 2, shape).strip();
        List<TokenShape> found = TokenShape.of(
                rule,
                line.substring(shape + 2, demand).strip(),
                line.substring(demand + 2).strip());
        if (words.isEmpty()) {
            shapes.addAll(found);
            for (TokenShape each : found) {
                add(detectors, each.literal, each);
            }
        } else {
            VendorDetector vendor = new VendorDetector(found, sums);
            for (String word : words.split(" ")) {
                add(detectors, word, vendor);
            }
        }
    }

    private void scan(Map<String, List<SecretDetector>> detectors, String rule, SecretDetector detector) {
        for (String literal : section(rule).words("scan")) {
            add(detectors, literal, detector);
        }
    }

    /** Adds a detector that runs at a literal, whatever its case. */
    static void add(Map<String, List<SecretDetector>> detectors, String literal, SecretDetector detector) {
        String lower = literal.toLowerCase(Locale.ROOT);
        List<SecretDetector> known = detectors.get(lower);
        if (known == null) {
            known = new ArrayList<>(1);
            detectors.put(lower, known);
        }
        known.add(detector);
    }

    /** The rule whose shape exactly this range has; null if there is none. */
    @Nullable String shapeOf(PaddedText text, int from, int to) {
        if (JwtDetector.end(text, from) == to) {
            return "jwt";
        }
        TokenShape best = null;
        for (TokenShape shape : shapes) {
            boolean longer = best == null || shape.literal.length() > best.literal.length();
            best = longer && shape.end(text, from) == to ? shape : best;
        }
        return best == null ? null : best.rule;
    }
}

package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All rules, with the finders that their triggers call. Immutable, loaded once. */
final class RedactionRules {
    /** How long the name of a rule may be. */
    static final int LONGEST_NAME = 32;

    /** The name that stands for a text that went as a whole. */
    static final String WHOLE = "text";

    private static final RedactionRules BUILT_IN = new RedactionRules(RedactionRuleReader.read("rules.txt"));

    private final List<RedactionRule> rules = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final List<PrefixDetector> shapes = new ArrayList<>();
    private final JwtDetector jwt = new JwtDetector();
    private final SensitiveNames keys;
    private final FalsePositiveFilter doubt;
    private final KeyDetector values;
    private final CommandDetector commands;
    private final LiteralMatcher triggers;

    private RedactionRules(List<RedactionRule> sections) {
        for (RedactionRule section : sections) {
            if (!RedactionRuleReader.isList(section)) {
                rules.add(section);
                names.add(section.name());
            }
        }
        names.add(WHOLE);
        this.keys = new SensitiveNames(rules, set(sections, "after-name"));
        this.doubt =
                new FalsePositiveFilter(set(sections, "nothing"), set(sections, "key-words"), set(sections, "code"));
        this.values = new KeyDetector(keys, doubt);
        this.commands = new CommandDetector(rule("command-password"), doubt);
        Map<String, List<SecretDetector>> finders = new LinkedHashMap<>();
        add(finders, RedactionPass.OPEN, (sweep, start, end) -> sweep.skipPlaceholder(start));
        addPrefixes(finders);
        addScanners(finders, sections);
        for (String literal : keys.triggers()) {
            add(finders, literal, values);
        }
        commands.addTo(finders);
        this.triggers = new LiteralMatcher(finders);
    }

    static RedactionRules builtIn() {
        return BUILT_IN;
    }

    private static Set<String> set(List<RedactionRule> sections, String list) {
        return new HashSet<>(RedactionRuleReader.list(sections, list));
    }

    private RedactionRule rule(String name) {
        for (RedactionRule rule : rules) {
            if (rule.name().equals(name)) {
                return rule;
            }
        }
        throw new IllegalStateException("there is no rule " + name);
    }

    /** Has a finder asked at a literal, in whatever case. */
    static void add(Map<String, List<SecretDetector>> finders, String literal, SecretDetector finder) {
        String lower = literal.toLowerCase(Locale.ROOT);
        List<SecretDetector> asked = finders.get(lower);
        if (asked == null) {
            asked = new ArrayList<>();
            finders.put(lower, asked);
        }
        asked.add(finder);
    }

    private void addPrefixes(Map<String, List<SecretDetector>> finders) {
        for (RedactionRule rule : rules) {
            for (String literal : rule.words("prefix")) {
                PrefixDetector finder = new PrefixDetector(rule, literal, false);
                shapes.add(finder);
                add(finders, literal, finder);
            }
            for (String literal : rule.words("keep")) {
                add(finders, literal, new PrefixDetector(rule, literal, true));
            }
        }
    }

    private void addScanners(Map<String, List<SecretDetector>> finders, List<RedactionRule> sections) {
        addScanner(finders, "private-key", new KeyBlockDetector());
        addScanner(finders, "jwt", jwt);
        addScanner(finders, "url-password", new UrlDetector(doubt));
        addScanner(finders, "url-signature", new SignatureDetector());
        addScanner(finders, "authorization", new AuthorizationDetector(set(sections, "schemes"), doubt));
        addScanner(finders, "cookie", new CookieDetector(set(sections, "cookie-attributes"), doubt));
    }

    private void addScanner(Map<String, List<SecretDetector>> finders, String name, SecretDetector scanner) {
        for (String literal : rule(name).words("scan")) {
            add(finders, literal, scanner);
        }
    }

    LiteralMatcher triggers() {
        return triggers;
    }

    /** The rules in the order of the file. */
    List<RedactionRule> all() {
        return rules;
    }

    Set<String> names() {
        return names;
    }

    SensitiveNames keys() {
        return keys;
    }

    KeyDetector values() {
        return values;
    }

    CommandDetector commands() {
        return commands;
    }

    /** The rule whose shape exactly this stretch has; null if none. */
    @Nullable String shapeOf(PaddedText text, int from, int to) {
        if (jwt.end(text, from) == to) {
            return "jwt";
        }
        String rule = null;
        int longest = 0;
        for (PrefixDetector shape : shapes) {
            if (shape.literalLength() > longest && shape.end(text, from) == to) {
                rule = shape.rule();
                longest = shape.literalLength();
            }
        }
        return rule;
    }
}

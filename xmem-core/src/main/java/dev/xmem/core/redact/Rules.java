package dev.xmem.core.redact;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All rules, with the finders that their triggers call. Immutable, loaded once. */
final class Rules {
    /** How long the name of a rule may be. */
    static final int LONGEST_NAME = 32;

    /** The name that stands for a text that went as a whole. */
    static final String WHOLE = "text";

    private static final Rules BUILT_IN = new Rules(RuleFile.read("rules.txt"));

    private final List<Rule> rules = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final List<PrefixFinder> shapes = new ArrayList<>();
    private final JwtFinder jwt = new JwtFinder();
    private final KeyNames keys;
    private final Doubt doubt;
    private final KeyFinder values;
    private final CommandFinder commands;
    private final Triggers triggers;

    private Rules(List<Rule> sections) {
        for (Rule section : sections) {
            if (!RuleFile.isList(section)) {
                rules.add(section);
                names.add(section.name());
            }
        }
        names.add(WHOLE);
        this.keys = new KeyNames(rules, set(sections, "after-name"));
        this.doubt = new Doubt(set(sections, "nothing"), set(sections, "key-words"), set(sections, "code"));
        this.values = new KeyFinder(keys, doubt);
        this.commands = new CommandFinder(rule("command-password"), doubt);
        Map<String, List<Finder>> finders = new LinkedHashMap<>();
        add(finders, Sweep.OPEN, (sweep, start, end) -> sweep.skipPlaceholder(start));
        addPrefixes(finders);
        addScanners(finders, sections);
        for (String literal : keys.triggers()) {
            add(finders, literal, values);
        }
        commands.addTo(finders);
        this.triggers = new Triggers(finders);
    }

    static Rules builtIn() {
        return BUILT_IN;
    }

    private static Set<String> set(List<Rule> sections, String list) {
        return new HashSet<>(RuleFile.list(sections, list));
    }

    private Rule rule(String name) {
        for (Rule rule : rules) {
            if (rule.name().equals(name)) {
                return rule;
            }
        }
        throw new IllegalStateException("there is no rule " + name);
    }

    /** Has a finder asked at a literal, in whatever case. */
    static void add(Map<String, List<Finder>> finders, String literal, Finder finder) {
        String lower = literal.toLowerCase(Locale.ROOT);
        List<Finder> asked = finders.get(lower);
        if (asked == null) {
            asked = new ArrayList<>();
            finders.put(lower, asked);
        }
        asked.add(finder);
    }

    private void addPrefixes(Map<String, List<Finder>> finders) {
        for (Rule rule : rules) {
            for (String literal : rule.words("prefix")) {
                PrefixFinder finder = new PrefixFinder(rule, literal, false);
                shapes.add(finder);
                add(finders, literal, finder);
            }
            for (String literal : rule.words("keep")) {
                add(finders, literal, new PrefixFinder(rule, literal, true));
            }
        }
    }

    private void addScanners(Map<String, List<Finder>> finders, List<Rule> sections) {
        addScanner(finders, "private-key", new KeyBlockFinder());
        addScanner(finders, "jwt", jwt);
        addScanner(finders, "url-password", new UrlFinder(doubt));
        addScanner(finders, "url-signature", new SignatureFinder());
        addScanner(finders, "authorization", new AuthorizationFinder(set(sections, "schemes"), doubt));
        addScanner(finders, "cookie", new CookieFinder(set(sections, "cookie-attributes"), doubt));
    }

    private void addScanner(Map<String, List<Finder>> finders, String name, Finder scanner) {
        for (String literal : rule(name).words("scan")) {
            add(finders, literal, scanner);
        }
    }

    Triggers triggers() {
        return triggers;
    }

    /** The rules in the order of the file. */
    List<Rule> all() {
        return rules;
    }

    Set<String> names() {
        return names;
    }

    KeyNames keys() {
        return keys;
    }

    KeyFinder values() {
        return values;
    }

    CommandFinder commands() {
        return commands;
    }

    /** The rule whose shape exactly this stretch has; null if none. */
    @Nullable String shapeOf(Text text, int from, int to) {
        if (jwt.end(text, from) == to) {
            return "jwt";
        }
        String rule = null;
        int longest = 0;
        for (PrefixFinder shape : shapes) {
            if (shape.literalLength() > longest && shape.end(text, from) == to) {
                rule = shape.rule();
                longest = shape.literalLength();
            }
        }
        return rule;
    }
}

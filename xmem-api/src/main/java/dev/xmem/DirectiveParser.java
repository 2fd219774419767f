package dev.xmem;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses sentences into directives by the grammar of {@link Directive#parse}. The matter becomes the subject and the
 * verdict the object, so that two sentences about one matter oppose each other.
 */
final class DirectiveParser {
    private static final int LONGEST = 1000;
    private static final Pattern GLOBAL = Pattern.compile("^\\s*global(?:ly)?\\s*[:,]\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern LEAD = Pattern.compile(
            "^\\s*(?:please\\s+)?(?:add to (?:your )?memory|save to (?:your )?memory|remember)\\s*(?:that\\b|:)?\\s+",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern REASON =
            Pattern.compile("\\s+(?:because|since|as it|as they)\\s.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern INSTEAD =
            Pattern.compile("\\s+(?:over|instead of|rather than)\\s.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern USE =
            Pattern.compile("^(?:to\\s+)?us(?:e|ing)\\s+(?:of\\s+)?", Pattern.CASE_INSENSITIVE);

    /** A form of a clause: its beginning, and the kind, verdict and canonical beginning of its directive. */
    private record Form(Pattern begin, String kind, String verdict, String canonical) {}

    private static final List<Form> FORMS = List.of(
            form("(?:you |we |it |i )?must (?:never|not)", "constraint", "forbidden", "Must never"),
            form("(?:you |we |it |i )?must(?: always)?", "constraint", "required", "Must always"),
            form("(?:you should |we |i )?never", "rule", "forbidden", "Never"),
            form("(?:you should )?(?:do not|don't|don’t)", "rule", "forbidden", "Never"),
            form("(?:you should |we |i )?always", "rule", "required", "Always"),
            form("i (?:would )?prefer", "preference", "preferred", "Prefer"),
            form("(?:i (?:do not|don't|don’t) like|i dislike|avoid)", "preference", "avoided", "Avoid"));

    private DirectiveParser() {}

    private static Form form(String begin, String kind, String verdict, String canonical) {
        Pattern pattern = Pattern.compile("^" + begin + "\\s+", Pattern.CASE_INSENSITIVE);
        return new Form(pattern, kind, verdict, canonical);
    }

    static Directive.Draft parse(String sentence) {
        if (sentence.length() > LONGEST) {
            throw new XMemException.Syntax("a directive has at most " + LONGEST + " characters", LONGEST);
        }
        Matcher global = GLOBAL.matcher(sentence);
        boolean everywhere = global.find();
        String rest = everywhere ? sentence.substring(global.end()) : sentence;
        Matcher lead = LEAD.matcher(rest);
        String clause = (lead.find() ? rest.substring(lead.end()) : rest).strip();
        for (Form form : FORMS) {
            Matcher begin = form.begin.matcher(clause);
            if (begin.find() && begin.end() < clause.length()) {
                Directive.Draft draft = draft(form, clause.substring(begin.end()));
                return everywhere ? draft.global() : draft;
            }
        }
        throw new XMemException.Syntax(
                "not a sentence that defines a directive. Write \"add to memory that never …\", \"… always …\","
                        + " \"… I prefer …\", \"… avoid …\" or \"… must …\", or give subject, predicate and object",
                sentence.length() - clause.length());
    }

    private static Directive.Draft draft(Form form, String rest) {
        String text = folded(rest).replaceAll("[.!\\s]+$", "");
        String matter = INSTEAD.matcher(REASON.matcher(text).replaceFirst("")).replaceFirst("");
        String subject = USE.matcher(matter).replaceFirst("").toLowerCase(Locale.ROOT);
        Directive.Triple triple = new Directive.Triple(subject.isBlank() ? text : subject, "is", form.verdict);
        Directive.Draft draft = switch (form.kind) {
            case "constraint" -> Directive.constraint(triple);
            case "rule" -> Directive.rule(triple);
            default -> Directive.preference(triple);
        };
        return draft.canonical(form.canonical + " " + text);
    }

    private static String folded(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}

package dev.xmem;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses sentences into directives by the grammar of {@link Directive#parseAll}. The matter becomes the subject and the
 * verdict the object, so that two sentences about one matter oppose each other.
 */
final class DirectiveParser {
    private static final int LONGEST = 1000;
    private static final String EVERYWHERE = "(?:globally|everywhere|(?:for|in) all (?:my |our )?projects)";
    private static final Pattern GLOBAL =
            Pattern.compile("^\\s*(?:global|" + EVERYWHERE + ")\\s*[:,]\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern LEAD = Pattern.compile(
            "^\\s*(?:please\\s+)?(?:(?:add|save) (?:this )?(?:to|in) (?:your |my |the )?(global )?memory"
                    + "|remember(?: this)?|keep in mind|note)"
                    + "(?:,?\\s+(" + EVERYWHERE + "))?\\s*(?:that\\b|:|,)?\\s+",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern FUTURE = Pattern.compile(
            "^\\s*(?:from now on|from here on|from today on|in (?:the )?future|going forward|henceforth)\\s*[,:]?\\s+"
                    + "|^\\s*(?:remember|don't forget|do not forget) to\\s+",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern FUTURE_END = Pattern.compile(
            "[,\\s]+(?:from now on|from here on|going forward|in (?:the )?future)\\s*[.!]*\\s*$",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern ACTOR = Pattern.compile(
            "^(?:please\\s+)?(?:(?:you|we|i)(?:'ll| will| shall| should| have to)?\\s+|i want you to\\s+|let's\\s+)?",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern NEXT = Pattern.compile(
            "(?:\\s+and|\\s+but|[.!;,]){1,4}\\s+(?=(?:please\\s+)?(?:(?:you|we|it|i)\\s+(?:should\\s+|must\\s+)?)?"
                    + "(?:never|always|do not|don't|don’t|must|avoid|prefer|from now on|remember)\\s+\\S)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern NEXT_USE = Pattern.compile("[.!;]+\\s+(?=use\\s)", Pattern.CASE_INSENSITIVE);
    private static final Pattern MUST = Pattern.compile(
            "^([^?]{1,300}?)\\s+must(?:\\s+(not|never)|\\s+always)?\\s+([^?]+)$", Pattern.CASE_INSENSITIVE);
    /** A pronoun, or the head of a relative clause: the sentence describes something and rules nothing. */
    private static final Pattern NO_SUBJECT = Pattern.compile(
            "^(?:i|it|this|that|these|those|they|he|she|there)$|\\s(?:that|which|who)$", Pattern.CASE_INSENSITIVE);
    /** A conclusion: "it must have been the cache". */
    private static final Pattern CONCLUSION =
            Pattern.compile("\\bmust have (?:been|gone|done|\\p{L}+(?:ed|en))\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern QUESTION =
            Pattern.compile("^(?:what|why|when|where|who|which|how|if|whether)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern REASON =
            Pattern.compile("\\s+(?:because|since|as it|as they)\\s.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern INSTEAD =
            Pattern.compile("\\s+(?:over|instead of|rather than)\\s.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern USE =
            Pattern.compile("^(?:to\\s+)?us(?:e|ing)\\s+(?:of\\s+)?", Pattern.CASE_INSENSITIVE);

    /** A form of a clause: its beginning, and the kind, verdict and canonical beginning of its directive. */
    private record Form(Pattern begin, String kind, String verdict, String canonical) {}

    private static final Form ALWAYS = form("(?:you should |we |i )?always", "rule", "required", "Always");
    private static final List<Form> FORMS = List.of(
            form("(?:you |we |it |i )?must (?:never|not)", "constraint", "forbidden", "Must never"),
            form("(?:you |we |it |i )?must(?: always)?", "constraint", "required", "Must always"),
            form("(?:you should |we |i )?never", "rule", "forbidden", "Never"),
            form("(?:you should )?(?:do not|don't|don’t)", "rule", "forbidden", "Never"),
            ALWAYS,
            form("(?:(?:i|we) )?(?:would )?prefer", "preference", "preferred", "Prefer"),
            form("(?:i (?:do not|don't|don’t) like|i dislike|avoid)", "preference", "avoided", "Avoid"));

    private DirectiveParser() {}

    private static Form form(String begin, String kind, String verdict, String canonical) {
        Pattern pattern = Pattern.compile("^" + begin + "\\s+", Pattern.CASE_INSENSITIVE);
        return new Form(pattern, kind, verdict, canonical);
    }

    /** Parses a text that states one directive. */
    static Directive.Draft parse(String sentence) {
        List<Directive.Draft> drafts = parseAll(sentence);
        if (drafts.size() > 1) {
            throw new XMemException.Syntax(
                    "states " + drafts.size() + " directives. Store each of Directive.parseAll", 0);
        }
        return drafts.get(0);
    }

    /** Parses a text that states one or several directives. */
    static List<Directive.Draft> parseAll(String text) {
        if (text.length() > LONGEST) {
            throw new XMemException.Syntax("a directive has at most " + LONGEST + " characters", LONGEST);
        }
        Matcher global = GLOBAL.matcher(text);
        boolean everywhere = global.find();
        String rest = everywhere ? text.substring(global.end()) : text;
        Matcher lead = LEAD.matcher(rest);
        // "remember to …" is a form of its own
        if (!FUTURE.matcher(rest).find() && lead.find()) {
            everywhere |= lead.group(1) != null || lead.group(2) != null;
            rest = rest.substring(lead.end());
        }
        boolean future = FUTURE.matcher(rest).find() || FUTURE_END.matcher(rest).find();
        List<Directive.Draft> drafts = new ArrayList<>();
        int position = text.length() - rest.stripLeading().length();
        for (String clause : clauses(FUTURE_END.matcher(rest).replaceFirst(""), future)) {
            Directive.Draft draft = clause(clause, future, position);
            drafts.add(everywhere ? draft.global() : draft);
        }
        return drafts;
    }

    /**
     * The clauses that begin as a directive does. Other sentences, and what follows "because" in the same sentence,
     * belong to the clause before them.
     */
    private static List<String> clauses(String text, boolean future) {
        List<String> clauses = new ArrayList<>();
        Matcher next = NEXT.matcher(text);
        int begin = 0;
        while (next.find()) {
            String clause = text.substring(begin, next.start());
            boolean sentence = ".!;".indexOf(text.charAt(next.start())) >= 0;
            if (!clause.isBlank() && (sentence || !REASON.matcher(clause).find())) {
                clauses.add(clause);
                begin = next.end();
            }
        }
        clauses.add(text.substring(begin));
        return future
                ? clauses.stream()
                        .flatMap(clause -> NEXT_USE.splitAsStream(clause))
                        .toList()
                : clauses;
    }

    private static Directive.Draft clause(String given, boolean future, int position) {
        Matcher lead = FUTURE.matcher(given);
        String bare = given.substring(lead.find() ? lead.end() : 0).strip();
        String clause = future ? ACTOR.matcher(bare).replaceFirst("") : bare;
        boolean conclusion = CONCLUSION.matcher(clause).find();
        for (Form form : FORMS) {
            Matcher begin = form.begin.matcher(clause);
            if (begin.find() && begin.end() < clause.length() && !conclusion) {
                return draft(form, clause.substring(begin.end()));
            }
        }
        Matcher must = MUST.matcher(clause);
        if (must.find()
                && !conclusion
                && !NO_SUBJECT.matcher(must.group(1).strip()).find()
                && !QUESTION.matcher(clause).find()
                && !REASON.matcher(must.group(1) + " ").find()) {
            return mustOf(must);
        }
        if (future && !clause.isEmpty() && !QUESTION.matcher(clause).find() && !clause.endsWith("?")) {
            return draft(ALWAYS, clause.substring(0, 1).toLowerCase(Locale.ROOT) + clause.substring(1));
        }
        throw new XMemException.Syntax(
                "not a sentence that defines a directive. Write \"add to memory that never …\", \"… always …\","
                        + " \"… I prefer …\", \"… avoid …\", \"… must …\" or \"from now on …\", or give subject,"
                        + " predicate and object",
                position);
    }

    /** "Tests must run first": the matter is "tests run first", so that "tests must not run first" opposes it. */
    private static Directive.Draft mustOf(Matcher must) {
        String who = folded(must.group(1));
        String what = folded(must.group(3)).replaceAll("[.!\\s]+$", "");
        boolean forbidden = must.group(2) != null;
        String matter = REASON.matcher(who + " " + what).replaceFirst("").toLowerCase(Locale.ROOT);
        String canonical = who.substring(0, 1).toUpperCase(Locale.ROOT)
                + who.substring(1)
                + (forbidden ? " must never " : " must ")
                + what;
        return Directive.constraint(new Directive.Triple(matter, "is", forbidden ? "forbidden" : "required"))
                .canonical(canonical);
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

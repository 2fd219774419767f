package dev.xmem;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses sentences into directives by the grammar of {@link Directive#parseAll}. The matter becomes the subject and
 * the verdict the object, so that two sentences about one matter oppose each other. A sentence that describes what is
 * or was, asks, or is about this moment only, is no directive. What has no form is left to {@link DirectiveModel}.
 * Decision: docs/adr/0038-directives-by-word-classes.md.
 */
final class DirectiveParser {
    private static final int LONGEST = 1000;
    private static final String NOT = "(?:do not|don't|don’t|dont)";
    private static final Pattern NEXT = pattern("(?:\\s+and|\\s+but|[.!;,]|\\s+\\d[.)]){1,4}\\s+(?=(?:please\\s+)?"
            + "(?:(?:you|we|it|i)\\s+(?:should\\s+|must\\s+)?)?(?:(?:never|always)(?! (?:in|into|on|to|from|at|by|via)\\b)"
            + "|" + NOT + "|must|avoid|prefer|from now on|remember)\\s+\\S)");
    private static final Pattern NEXT_USE = pattern("[.!;]+\\s+(?=use\\s)");
    private static final Pattern SENTENCE_END = pattern("[.!;]+\\s+");
    private static final Pattern CONDITION = pattern("^(?:when|whenever|if|before|after|once|unless|while|as soon as"
            + "|every time|each time|any time|on|in|at|for|with)\\b");

    private static final Pattern ACTOR =
            pattern("^(?:please\\s+)?(?:(?:you|we|i)(?:'ll|’ll| will| shall| should| have to)?\\s+|i want you to\\s+"
                    + "|let's\\s+)?");
    private static final Pattern REASON = pattern("\\s+(?:because|since|as it|as they)\\s.*");
    private static final Pattern INSTEAD = pattern("\\s+(?:over|instead of|rather than)\\s.*"
            + "|,\\s*not\\s+(?!even|before|until|unless|without|if|when|just|only)\\S.*");
    private static final Pattern USE = pattern("^(?:to\\s+)?us(?:e|ing)\\s+(?:of\\s+)?");

    private static final Pattern QUESTION =
            pattern("^(?:what|why|where|who|which|how|whether|(?:do|does|did|is|are|was|were|has|should|shall|must)"
                    + " (?:i|you|we|they|it|he|she|the|this|that|there|every|all)\\b)|\\?\\s*$");
    /** A sentence about this moment, or about one thing that both sides see. */
    private static final Pattern ONCE = pattern("\\b(?:yet|for now|right now|just now|not now|today|tonight|tomorrow"
            + "|just once|at the moment|for a moment|temporarily|anything else|until|line \\d+|go (?:on|ahead)"
            + "|(?:for|in|on|to) (?:this|that) (?!project|repo|code|workspace|module|package|service|team"
            + "|library|app)\\p{L}+"
            + "|this (?:time|one|once|commit|file|branch|change|pr|test|line|migration|session|case|function))\\b"
            + "|\\b(?:this|that|it|these|those)\\s*[.!]*$");
    /** Words of a rule: the store says why it refuses "never deploy today". */
    private static final Pattern LASTING = pattern("^(?:never|always)\\b");

    /** Behind "I": a verb that reports an experience, no intention. */
    private static final String EXPERIENCE = "(?:get|see|have|had|end|run into|forget|wonder|think|hear"
            + "|feel|find|lose"
            + "|fail|hit|need|seem|receive|encounter|face|struggle|know|knew|remember|understand|understood"
            + "|saw|said|told"
            + "|thought|got|went|made|did|was|were|found|came|heard|wrote|ran|took|gave|felt|lost|kept|can"
            + "|could|will|would"
            + "|(?!need|feed|embed|seed|shed|speed)\\p{L}+ed)\\b";

    private static final Pattern NO_RULE = pattern("^(?:mind|again|seen|heard|been|worry|bother|panic|care"
            + "|think|know|"
            + "get me wrong|be (?:sorry|afraid)|understand|believe)\\b");
    private static final Pattern DEFINITE = pattern("^(?:\\p{L}+ing\\s+)?(?:the|this|that|these|those|it)\\b");

    /** A form of a clause: its beginning, what must not follow it, and the parts of its directive. */
    private record Form(
            Pattern begin, @Nullable Pattern not, boolean introduced, String kind, String verdict, String canonical) {
        static Form rule(String begin, @Nullable Pattern not, String verdict, String canonical) {
            return new Form(pattern("^(?:" + begin + ")\\s+"), not, false, "rule", verdict, canonical);
        }

        static Form of(String kind, String begin, @Nullable Pattern not, String verdict, String canonical) {
            return new Form(pattern("^(?:" + begin + ")\\s+"), not, false, kind, verdict, canonical);
        }

        /** The same form, only in a text that says that a rule follows. */
        Form ifIntroduced() {
            return new Form(begin, not, true, kind, verdict, canonical);
        }
    }

    private static final Form ALWAYS =
            Form.rule("(?:(?:you" + "|we)(?: should)? )?always,?", NO_RULE, "required", "Always");
    private static final List<Form> FORMS = List.of(
            Form.of(
                    "constraint",
                    "(?:(?:you|we|it|i) )?must (?:never" + "|not)(?: ever)?",
                    null,
                    "forbidden",
                    "Must never"),
            Form.of(
                    "constraint",
                    "(?:(?:you|we|it|i) )?must(?: always)?",
                    pattern("^(?:i|we|you|it)\\b"),
                    "required",
                    "Must always"),
            Form.of("constraint", "(?:you|we) (?:have|need) to(?: always)?", null, "required", "Must always")
                    .ifIntroduced(),
            Form.rule("(?:we|i) never want you to", null, "forbidden", "Never"),
            Form.rule("i never", pattern("^" + EXPERIENCE), "forbidden", "Never"),
            Form.rule(
                    "(?:(?:you|we) )?(?:(?:should|shall|may|will|can) )?never(?:,? (?:ever"
                            + "|under any circumstances?|not ever),?)?",
                    pattern(NO_RULE.pattern() + "|^(?:told|said|did|had|got|saw|was|were)\\b"),
                    "forbidden",
                    "Never"),
            Form.rule("under no circumstances?,?(?: (?:should|may|must|do) (?:you|we))?", null, "forbidden", "Never"),
            Form.rule(
                    "(?:it(?:'s|’s| is) )?(?:strictly )?(?:forbidden|prohibited|not allowed|not permitted"
                            + "|never allowed) to",
                    null,
                    "forbidden",
                    "Never"),
            Form.rule(
                    "you (?:(?:may|should) not|shouldn't|are not (?:allowed|permitted|supposed) to"
                            + "|aren't (?:allowed|supposed) to)",
                    null,
                    "forbidden",
                    "Never"),
            Form.rule("(?:i|we) " + NOT + " (?:ever )?want (?:you )?to(?: ever)?", null, "forbidden", "Never"),
            Form.rule(
                    "(?:we )?" + NOT + "(?: you)?(?: ever)?",
                    pattern(NO_RULE.pattern() + "|^(?:have|need|like|want|remember|see|forget|stop)\\b"),
                    "forbidden",
                    "Never"),
            Form.rule("i always", pattern("^" + EXPERIENCE), "required", "Always"),
            ALWAYS,
            Form.of(
                    "preference",
                    "(?:(?:i|we)(?:'d|’d| would)? )?(?:always |generally |usually )?prefer(?: to)?",
                    pattern("^(?:if|that you|not|it|this|that|the (?:first|second|third|last|other|latter"
                            + "|former|left|right))\\b"),
                    "preferred",
                    "Prefer"),
            Form.of("preference", "i(?:'d|’d| would) rather (?:have|use|see|get)", null, "preferred", "Prefer")
                    .ifIntroduced(),
            Form.of(
                    "preference",
                    "i " + NOT + " like|i dislike|i hate",
                    pattern("^(?:it|this|that|how|the|your)\\b"),
                    "avoided",
                    "Avoid"),
            Form.of("preference", "avoid", DEFINITE, "avoided", "Avoid"),
            Form.rule("stop(?= \\p{L}+ing\\b)", DEFINITE, "forbidden", "Stop"),
            Form.rule("no more", null, "forbidden", "No more").ifIntroduced(),
            Form.rule("no", null, "forbidden", "No").ifIntroduced());

    /** Events that come again in the work on a project. */
    private static final String EVENT =
            "(?:before|after|on|with|for|in|at|during) (?:each|every|any|all)(?: single| new)? "
                    + "(?:change|commit|push|edit|release|merge|pr|pull request|deploy(?:ment)?|build"
                    + "|session|task|step|refactoring"
                    + "|migration|feature|bug ?fix|fix|answer|response|reply|turn|run|review|rebase|upgrade"
                    + "|save|message)s?\\b";

    private static final Pattern EACH =
            pattern("\\b(?:each|every|any|always|at all times|at most|at least|by hand|whenever|only|before"
                    + "|after)\\b|\\bmust be \\p{L}+(?:ed|en|un|ept|ilt|ent|ead|et|ade|one) \\S");
    /** A description rather than an order: it begins with a subject. */
    private static final Pattern STATEMENT =
            pattern("^(?:(?:the|an?|it|he|she|they|this|that|these|those|there|i|my|our|your|you"
                    + "|is|are|was|were|does|did|has|can|could|should|would|will)\\b|(?:in|of|to|on|at|with)\\s)");

    private static final Pattern HABIT =
            pattern("^(?:whenever|every time|each time|any ?time|as soon as) (?:you|we|someone"
                    + "|anyone)\\b[^,?]{1,160},\\s*(\\S.*)$");
    private static final Pattern AT_EVENT =
            pattern("^" + EVENT + "[^,?]{0,60}?,?\\s+(?:you (?:must|should|have to|need to)\\s+)?(\\S.*)$");
    private static final Pattern UNDER = pattern("^([^,?]{3,160}),\\s*(?:please\\s+)?(?:you\\s+)?(?:should\\s+)?"
            + "(always|never|" + NOT + "|must not|must)\\s+(\\S.*)$");

    private static final Pattern MUST = pattern("^([^?]{1,300}?)\\s+(must|shall|has to|have to|needs? to|should)"
            + "(?:\\s+(not|never)|\\s+always)?\\s+([^?]+)$");
    /** A pronoun, a sentence, or the head of a relative clause: the sentence describes something and rules nothing. */
    private static final Pattern NO_SUBJECT = pattern("^(?:i|it|this|that|these|those|they|he|she|there|you|we)$"
            + "|\\s(?:that|which|who)$|\\b(?:is|are|was|were|said|says|told|thinks|wants|asked"
            + "|claims|wrote)\\s|,$|^(?:implement|write|add|create|fix|make|build|parse|test|check)\\s");
    /** A conclusion: "it must have been the cache", "the server must be down". */
    private static final Pattern CONCLUSION =
            pattern("\\bmust (?:have (?:been|gone|done|\\p{L}+(?:ed|en))|be \\p{L}+ing|be (?:an?|the)"
                    + "|be (?:down|up|off|on|there|here|wrong|right|broken|stuck|lost|missing|gone|dead|full"
                    + "|stale|outdated|corrupt(?:ed)?"
                    + "|related|due|something|somewhere))\\b");
    /** A task: "the button must be blue, change it". */
    private static final Pattern TASK =
            pattern("[,;.]\\s*(?:so |and |then |please |can you |could you )*(?:implement|do|change|fix"
                    + "|add|make|build"
                    + "|create|update|write|adjust|rename|remove|check)\\b(?!.*\\b(?:always|never)\\b)");

    /** "The token is always taken from the keychain", but no report: "it is always killed". */
    private static final Pattern PASSIVE = pattern("^(?!(?:it|this|that|these|those|they|he|she"
            + "|there)\\b)[^?,]{2,120}?"
            + " (?:is|are|gets?) (?:always|never|only) (?!broken|killed|rejected|refused|denied|failed"
            + "|lost|dropped|ignored"
            + "|blocked|cut|missed|closed|skipped|crashed|delayed|interrupted|confused|surprised|tired|needed)"
            + "(?:\\p{L}+ed|taken|read|kept|built|written|sent|run|set|made|given|stored|drawn|chosen) "
            + "(?:from|in|into|by|with|via|over|through|at|on|to|under|as|before|after|behind|against)\\b");

    private static final Pattern PERMISSION = pattern(
            "^(?:nothing|nobody|no one|no \\p{L}+)(?: \\S+){0,6}? (?:may|shall|can|must|should|is allowed to)\\s+\\S"
                    + "|^(?!the |this |that |your |it )\\S.{1,160}? (?:is|are) (?:strictly )?(?:forbidden"
                    + "|not allowed|prohibited|banned"
                    + "|off[- ]limits|mandatory|obligatory)\\b");

    private static final Pattern USAGE =
            pattern("^(?:(?:always |only )?(?:use|stick to|follow)\\s|we (?!need|have|should|could|can|will"
                    + "|would|are|were|had|want|got|did|saw|decided|found|tried|also|still|just"
                    + "|\\p{L}+ed\\b)\\p{L}+\\s)");
    private static final Pattern FACT =
            pattern("^(?!(?:it|this|that|these|those|there|he|she)\\b)([^?,]{1,160}?)\\s(?:is|are)\\s([^?]+)$");
    private static final Pattern PAST =
            pattern("^(?:\\S+\\s){1,4}(?:was|were|did|had|told|said|went|took|gave|broke|(?:i|we|you|it|this|that"
                    + "|they|he|she) "
                    + "\\p{L}+ed)\\b|^(?:i|we|you|it|this|that|they|he|she) (?:\\p{L}+ed|told|said|went|took"
                    + "|saw|got|found|made|ran)\\b"
                    + "|\\b(?:yesterday|last (?:week|month|night|time))\\b");

    private DirectiveParser() {}

    private static Pattern pattern(String regex) {
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
    }

    private static boolean is(Pattern pattern, String text) {
        return pattern.matcher(text).find();
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
        DirectiveRequest request = DirectiveRequest.of(text);
        List<Directive.Draft> drafts = new ArrayList<>();
        for (String given : clauses(request)) {
            Directive.Draft draft = clause(given, request);
            List<String> stated = draft == null ? stated(given) : List.of();
            if (draft == null && stated.isEmpty()) {
                int position = Math.max(0, text.indexOf(request.rest()));
                throw new XMemException.Syntax(
                        "not a sentence that defines a directive. Write \"add to memory that never …\","
                                + " \"… always …\", \"… I prefer …\", \"… avoid …\", \"… must …\" or"
                                + " \"from now on …\", or give subject, predicate and object",
                        position);
            }
            if (draft != null) {
                drafts.add(draft);
            }
            stated.forEach(sentence -> drafts.add(told(sentence, request.isStanding())));
        }
        Set<Object> said = new HashSet<>();
        drafts.removeIf(draft ->
                !said.add(List.of(draft.fields().get("kind"), draft.fields().get("triple"))));
        return request.isGlobal() ? drafts.stream().map(Directive.Draft::global).toList() : drafts;
    }

    /** The sentences of a text without a form, if each states a rule; the text, if only the whole states one. */
    private static List<String> stated(String text) {
        List<String> sentences = SENTENCE_END.splitAsStream(text).toList();
        if (sentences.stream().allMatch(DirectiveParser::isStated)) {
            return sentences;
        }
        return isStated(text) ? List.of(text) : List.of();
    }

    /** Whether a text without a form states a rule all the same: "primary keys are uuids", "use yarn, not npm". */
    private static boolean isStated(String text) {
        return text.indexOf(' ') < text.lastIndexOf(' ')
                && !is(QUESTION, text)
                && !is(CONCLUSION, text)
                && !is(ONCE, text)
                && !is(PAST, text)
                && !is(TASK, text)
                && DirectiveModel.isRule(text);
    }

    /**
     * The clauses that begin as a directive does. Other sentences, and what follows "because" in the same sentence,
     * belong to the clause before them.
     */
    private static List<String> clauses(DirectiveRequest request) {
        String text = request.rest();
        List<String> clauses = new ArrayList<>();
        Matcher next = NEXT.matcher(text);
        int begin = 0;
        while (next.find()) {
            String clause = text.substring(begin, next.start());
            boolean sentence = ".!;".indexOf(text.charAt(next.start())) >= 0;
            boolean whole = sentence || !is(REASON, clause) && !is(CONDITION, clause);
            if (!clause.isBlank() && whole) {
                clauses.add(clause);
                begin = next.end();
            }
        }
        clauses.add(text.substring(begin));
        return request.isStanding()
                ? clauses.stream()
                        .flatMap(clause -> NEXT_USE.splitAsStream(clause))
                        .toList()
                : clauses;
    }

    private static Directive.@Nullable Draft clause(String given, DirectiveRequest request) {
        DirectiveRequest own = DirectiveRequest.of(given);
        boolean standing = request.isStanding() || own.isStanding();
        boolean introduced = request.isIntroduced() || own.isIntroduced();
        String bare = own.rest();
        String clause = standing ? ACTOR.matcher(bare).replaceFirst("") : bare;
        boolean once = !introduced && is(ONCE, clause) && !is(LASTING, clause) || is(QUESTION, clause);
        if (clause.isEmpty() || once || is(CONCLUSION, clause)) {
            return null;
        }
        Directive.Draft formed = formed(clause, introduced || request.isHere() || own.isHere());
        if (formed != null) {
            return formed;
        }
        Directive.Draft must = must(clause, introduced);
        if (must != null) {
            return must;
        }
        if (isConditional(clause) || is(PERMISSION, clause) || is(PASSIVE, clause)) {
            return statement(clause);
        }
        boolean ordered = standing && !is(STATEMENT, clause);
        boolean used = is(USAGE, clause) && (introduced || request.isHere() || own.isHere());
        boolean stated = (request.isExplicit() || own.isExplicit()) && clause.indexOf(' ') > 0 && !is(PAST, clause);
        return ordered || used || stated ? told(clause, standing) : null;
    }

    private static Directive.@Nullable Draft formed(String clause, boolean introduced) {
        for (Form form : FORMS) {
            Matcher begin = form.begin.matcher(clause);
            if ((introduced || !form.introduced || is(EACH, clause)) && begin.find() && begin.end() < clause.length()) {
                String rest = clause.substring(begin.end());
                boolean excluded = form.not != null && is(form.not, rest) && !(introduced && form.not.equals(DEFINITE));
                return excluded ? null : draft(form, rest);
            }
        }
        return null;
    }

    /** "Tests must run first": the matter is "tests run first", so that "tests must not run first" opposes it. */
    private static Directive.@Nullable Draft must(String clause, boolean introduced) {
        Matcher must = MUST.matcher(clause);
        if (!must.find()
                || !introduced && (is(TASK, clause) || !must.group(2).equalsIgnoreCase("must"))
                || is(NO_SUBJECT, must.group(1).strip())
                || is(REASON, must.group(1) + " ")) {
            return null;
        }
        boolean forbidden = must.group(3) != null;
        boolean one = is(DEFINITE, clause) && !forbidden && !is(EACH, clause);
        if (one && !introduced) {
            return null;
        }
        String who = folded(must.group(1));
        String what = end(must.group(4));
        String matter = REASON.matcher(who + " " + what).replaceFirst("").toLowerCase(Locale.ROOT);
        return Directive.constraint(new Directive.Triple(matter, "is", forbidden ? "forbidden" : "required"))
                .canonical(capital(who) + (forbidden ? " must never " : " must ") + what);
    }

    /** Whether a clause says when a rule applies: "whenever you …, …", "before each commit …", "if …, always …". */
    private static boolean isConditional(String clause) {
        Matcher habit = HABIT.matcher(clause);
        Matcher event = AT_EVENT.matcher(clause);
        boolean orders = habit.find() && !is(STATEMENT, habit.group(1))
                || event.find() && !is(STATEMENT, event.group(1))
                || is(CONDITION, clause) && is(UNDER, clause);
        return orders || !is(STATEMENT, clause) && !is(CONDITION, clause) && is(pattern("\\s" + EVENT), clause);
    }

    /** What the user asked to remember: an order, a custom or a fact. */
    private static Directive.Draft told(String clause, boolean standing) {
        Matcher fact = FACT.matcher(clause);
        if (fact.find()) {
            Directive.Triple triple = new Directive.Triple(
                    folded(fact.group(1)).toLowerCase(Locale.ROOT),
                    "is",
                    end(fact.group(2)).toLowerCase(Locale.ROOT));
            return Directive.rule(triple).canonical(capital(end(clause)));
        }
        boolean order = standing && !is(MUST, clause) || is(USE, clause);
        return order
                ? draft(ALWAYS, clause.substring(0, 1).toLowerCase(Locale.ROOT) + clause.substring(1))
                : statement(clause);
    }

    private static Directive.Draft statement(String clause) {
        String text = end(clause);
        String matter = REASON.matcher(text).replaceFirst("").toLowerCase(Locale.ROOT);
        return Directive.rule(new Directive.Triple(matter, "is", "required")).canonical(capital(text));
    }

    private static Directive.Draft draft(Form form, String rest) {
        String text = end(rest);
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

    private static String end(String text) {
        return folded(text).replaceAll("[.!\\s]+$", "");
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static String folded(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}

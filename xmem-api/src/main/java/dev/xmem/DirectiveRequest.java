package dev.xmem;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a text says around its directives: that they are to be remembered, from when on and where they hold. Parsing
 * removes these phrases from both ends of the text. Immutable.
 *
 * @param rest the text without the phrases
 * @param isGlobal whether the directives hold in all projects
 * @param isAsked whether the text asks to remember something
 * @param isExplicit whether "that", "to" or a colon follows that request, so that any sentence may follow
 * @param isStanding whether the text says that a rule follows, or from when on it holds
 * @param isHere whether it names the project in which it holds
 */
record DirectiveRequest(
        String rest, boolean isGlobal, boolean isAsked, boolean isExplicit, boolean isStanding, boolean isHere) {
    private static final String PROJECT = "(?:project|repo|repositor(?:y|ie)|code ?base|workspace)s?";
    private static final String GLOBALLY =
            "(?:globally|everywhere(?:,? not (?:just|only) (?:in )?(?:here|this " + PROJECT
                    + "))?|(?:for|in|across|on|with) (?:all|every|any|each)(?: of)?(?: my| our| the| your"
                    + "| future| other){0,3} "
                    + PROJECT + "(?: of mine)?)";
    private static final String HERE = "(?:in|for|within) (?:this|our|the current) (?:" + PROJECT + "|code|team)";
    private static final String FUTURE = "(?:from (?:now|here|today|this (?:point|moment|day)) on(?:wards?)?"
            + "|from here on out|as of (?:now|today)|starting (?:now|today)|in (?:the )?future(?! versions?"
            + "| releases?)"
            + "|going forward|henceforth|next time(?! (?:i|we|he|she|they)\\b)|at all times|as a (?:general )?rule"
            + "|for the rest of (?:this|the|our) " + PROJECT
            + "|(?:for|in) (?:later|all future|future|the next) sessions?)";

    private static final String SEPARATORS = ",.;:–—-!?";
    private static final int MAX_SEPARATORS = 8;
    private static final int MAX_HEADS = 16;

    private static final Pattern COURTESY =
            head("(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|so|also|btw|one more thing"
                    + "|\\d{1,2}[.)]|[-*•])(?:\\s*[,:!])?\\s+");
    private static final Pattern REQUEST =
            head("(?:can|could|would|will) you (?:please )?(?=remember|memori[sz]e|keep|note|always|never|add"
                    + "|save|store|put)");
    private static final Pattern ASKED = head("(?:"
            + "(?:add|save|write|put|store|commit|record|keep|note)(?: (?:this|it|the following))?(?: down)?"
            + " (?:to|in|into) (?:your |my |the |our )?(?:long-term |project |global ){0,2}memory"
            + "|(?:remember|memori[sz]e|learn)(?: (?:this|the following|(?:two|three|some|these) (?:things|rules)))?"
            + "|keep remembering(?: this)?|(?:make (?:yourself )?a note|take note|note to (?:self|yourself))"
            + "|(?:keep|bear) (?:it |this )?in mind|remind yourself|be aware"
            + "|(?:do not|don't|don’t|dont|never) forget"
            + ")(?=[\\s:,.]|$)");
    /** A request that introduces rules, and no other sentences. */
    private static final Pattern NOTED = head("note(?: that\\b|\\s*[:,])?\\s+");

    private static final Pattern RULED = head("(?:make it an? (?:rule|habit|principle) (?:that|to)"
            + "|(?:add|set|here is|here's|this is) an? (?:new |permanent |standing |general "
            + "|global )?(?:rule|instruction)"
            + "(?: " + HERE + ")?(?: that|\\s*[:,–-])"
            + "|(?:(?:a|the|our|my|new|general|permanent|standing|team|project|house|global|one) ){0,3}"
            + "(?:rule|convention|policy|instruction|guideline)(?: " + HERE
            + "| (?:for|about|on) [\\p{L} -]{1,30}?)?(?: is)?(?: that|(?<= is) to|\\s*[:–-])"
            + "|let(?:'s|’s| us) agree (?:that|to|on)|we (?:agreed|decided) (?:that|to))\\s+");
    private static final Pattern CONNECTOR = head("(?:(?:that|to)\\b|[:,.–-])\\s*");
    private static final Pattern GLOBAL_HEAD = head("(?:global(?=\\s*[:,])|" + GLOBALLY + ")(\\s*[:,])?\\s+");
    private static final Pattern HERE_HEAD = head(HERE + "\\s*,?\\s+");
    private static final Pattern FUTURE_HEAD = head(FUTURE + "\\s*[:,]?\\s+");
    /** "Make sure that you never …": a wish, if a rule follows. */
    private static final Pattern WISH = head("(?:(?:please )?(?:make sure|be sure|ensure|see to it)"
            + "|(?:it(?:'s|’s| is)|this is) (?:very )?(?:important|essential|crucial|vital|mandatory)"
            + "|i(?:'d|’d| would)? (?:want|like|need|expect|ask)|you (?:have|need|are))"
            + "(?: that)?(?: (?:you|we))?(?: to)? (?=(?:always|never)\\b)");

    private static final Pattern GLOBAL_INSIDE =
            part(",\\s*" + GLOBALLY + "\\s*,|[,\\s]+" + GLOBALLY + "(?=\\s*[.!]*\\s*$)");
    private static final Pattern FUTURE_INSIDE = part("[,\\s]+" + FUTURE + "(?=\\s*(?:[.!,;]|$))");
    private static final Pattern ALWAYS_END =
            part("(?:\\s*[,.;–-]\\s*(?:and )?(?:always|ever|without exceptions?)|\\s+always)\\s*[.!]*\\s*$");
    private static final Pattern ASKED_END = part("[\\s,.;:–-]+(?:please )?(?:and )?"
            + "(?:remember|keep in mind|bear in mind|do not forget|don't forget|note|memori[sz]e)(?: (?:that"
            + "|this|it))?"
            + "[.!]*\\s*$|[\\s,.;:–-]+(?:keep|bear) (?:that|this|it) in mind[.!]*\\s*$");
    private static final Pattern HERE_INSIDE = part("\\s" + HERE + "(?=\\s*(?:[.!,;]|$))");

    private static Pattern head(String begin) {
        return Pattern.compile("^(?:" + begin + ")", Pattern.CASE_INSENSITIVE);
    }

    private static Pattern part(String pattern) {
        return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
    }

    static DirectiveRequest of(String text) {
        DirectiveRequest request = new DirectiveRequest(separated(text).strip(), false, false, false, false, false);
        for (int i = 0; i < MAX_HEADS; i++) {
            DirectiveRequest next = request.withoutHead();
            if (next.equals(request)) {
                break;
            }
            request = next;
        }
        return request.withoutEnds();
    }

    /**
     * The text with one blank for white space, and at most {@value #MAX_SEPARATORS} separators in a row: the patterns
     * try each position of a run.
     */
    static String separated(String text) {
        StringBuilder separated = new StringBuilder(text.length());
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = Character.isWhitespace(text.charAt(i)) ? ' ' : text.charAt(i);
            boolean blank = c == ' ' && run > 0 && separated.charAt(separated.length() - 1) == ' ';
            run = c == ' ' || SEPARATORS.indexOf(c) >= 0 ? run + (blank ? 0 : 1) : 0;
            if (!blank && run <= MAX_SEPARATORS) {
                separated.append(c);
            }
        }
        return separated.toString();
    }

    /** The phrases before a directive, in the order in which they are tried. */
    private enum Head {
        CONNECTOR(DirectiveRequest.CONNECTOR),
        GLOBAL(GLOBAL_HEAD),
        HERE(HERE_HEAD),
        FUTURE(FUTURE_HEAD),
        RULE(RULED),
        ASKING(ASKED),
        NOTE(NOTED),
        POLITE(REQUEST),
        COURTEOUS(COURTESY),
        WISHED(WISH);

        private final Pattern pattern;

        Head(Pattern pattern) {
            this.pattern = pattern;
        }
    }

    /** This request without the first phrase of its text; itself if the text begins with a directive. */
    private DirectiveRequest withoutHead() {
        for (Head head : Head.values()) {
            Matcher matcher = head.pattern.matcher(rest);
            if ((head != Head.CONNECTOR || isAsked && !isExplicit) && matcher.find()) {
                return without(head, matcher);
            }
        }
        return this;
    }

    private DirectiveRequest without(Head head, Matcher matcher) {
        String after = rest.substring(matcher.end()).stripLeading();
        boolean named = matcher.group().toLowerCase(Locale.ROOT).contains("global");
        return switch (head) {
            case CONNECTOR -> {
                boolean order = matcher.group().startsWith("to");
                yield new DirectiveRequest(after, isGlobal, true, true, isStanding || order, isHere);
            }
            case GLOBAL -> {
                boolean explicit = isExplicit || isAsked && matcher.group(1) != null;
                yield new DirectiveRequest(after, true, isAsked, explicit, true, isHere);
            }
            case HERE -> new DirectiveRequest(after, isGlobal, isAsked, isExplicit, isStanding, true);
            case FUTURE, RULE -> new DirectiveRequest(after, isGlobal || named, isAsked, isExplicit, true, isHere);
            case ASKING -> new DirectiveRequest(after, isGlobal || named, true, isExplicit, isStanding, isHere);
            case POLITE -> {
                String order = after.replaceFirst("\\s*\\?\\s*$", "");
                yield new DirectiveRequest(order, isGlobal, isAsked, isExplicit, isStanding, isHere);
            }
            default -> new DirectiveRequest(after, isGlobal, isAsked, isExplicit, isStanding, isHere);
        };
    }

    private DirectiveRequest withoutEnds() {
        Matcher asked = ASKED_END.matcher(rest);
        boolean askedAtEnd = asked.find() && asked.start() > 0;
        String text = askedAtEnd ? rest.substring(0, asked.start()) : rest;
        boolean global = GLOBAL_INSIDE.matcher(text).find();
        text = global ? GLOBAL_INSIDE.matcher(text).replaceAll(" ") : text;
        Matcher future = FUTURE_INSIDE.matcher(text);
        Matcher always = ALWAYS_END.matcher(text);
        boolean standing = false;
        if (future.find() && future.start() > 0) {
            standing = true;
            text = future.replaceFirst("");
        } else if (always.find() && always.start() > 0) {
            standing = true;
            text = text.substring(0, always.start());
        }
        return new DirectiveRequest(
                text.strip(),
                isGlobal || global,
                isAsked || askedAtEnd,
                isExplicit || askedAtEnd,
                isStanding || standing,
                isHere || HERE_INSIDE.matcher(text).find());
    }

    /** Whether the text says more than its sentence: that it is to be remembered, or that it is a rule. */
    boolean isIntroduced() {
        return isAsked || isStanding;
    }
}

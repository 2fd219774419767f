package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule-based classifier of failures. The first source that names a cause decides: the class of an exception, an errno
 * name or another error code, a network cause on any line, the lexicon on the most salient lines, the exit status, the
 * diagnostic words of the best line.
 */
final class CauseClassifier {
    private static final HashCause NO_PROGRAM = HashCause.of("command-not-found always");
    private static final String EXIT_STATUS = "exit status ";

    /** What the class of a refusal or of a parser is too: a file in use on Windows, a key that is there twice. */
    private static final Set<String> IN_USE = Set.of("busy", "locked", "duplicate-key");

    private static final Set<String> TIMEOUTS = Set.of("timeout", "network-timeout");

    /** The method that a message is about: {@code Page.goto: }. */
    private static final Pattern METHOD = Pattern.compile("[A-Za-z]{2,30}\\.([a-z][A-Za-z]{1,30}): ");

    private static final int LEXICON_LINES = 8;
    private static final int CODE_LINES = 3;
    private static final int NETWORK_LINES = 120;

    /** The call that failed: that of the user's program if a build tool only started it. */
    final CommandLine.Call call;

    private final List<ScoredLine> ranked;
    private final List<ScoredLine> lines;
    private final Set<String> echo;
    private @Nullable String code;
    private @Nullable String exceptionName;
    private @Nullable HashCause cause;
    private @Nullable String noun;
    private @Nullable ScoredLine line;
    private PhraseMatcher.@Nullable PhraseHit hit;
    private final List<String> words = new ArrayList<>();
    private String by = "";
    private boolean answered;
    private @Nullable String program;
    /** The library that a program of the user failed in, if the cause is one that any library has. */
    private @Nullable String library;

    private CauseClassifier(CommandLine.Call called, SalientLines salient) {
        this.call = ToolTable.listed("jvm-builds", called.tool()) && salient.isOfProgram() ? called.program() : called;
        this.ranked = salient.ranked();
        this.lines = salient.lines();
        this.echo = CallWords.of(call);
    }

    /**
     * Classifies an error.
     *
     * @param read the lines of the error or of what it is an excerpt of, if they are read; or null
     */
    static CauseClassifier of(
            CommandLine.Call call, String error, @Nullable Integer exitCode, @Nullable SalientLines read) {
        SalientLines salient = SalientLines.of(call, error, false, read);
        CauseClassifier classifier = of(call, salient, exitCode);
        if (classifier.answered
                || !classifier.isUndecided() && !classifier.by.startsWith(EXIT_STATUS)
                || Languages.isForeign(error)
                || !salient.isTranslatable()) {
            return classifier;
        }
        CauseClassifier translated = of(call, SalientLines.of(call, error, true, null), exitCode);
        return translated.isUndecided() ? classifier : translated;
    }

    /** Names a message that no rule reads by the checksum of its foreign letters, so that strangers stay apart. */
    private void nameForeign() {
        String message = isUndecided() && !ranked.isEmpty() ? Languages.withoutPaths(ranked.get(0).message) : "";
        if (!Languages.isForeign(message)) {
            return;
        }
        line = ranked.get(0);
        String last = line.message.substring(line.message.lastIndexOf(": ") + 1);
        List<String> told = Languages.isForeign(last) ? List.of() : AnswerCause.reason(last, echo);
        words.clear();
        words.addAll(told.size() > 1 ? told : List.of("message-" + Languages.checksum(message)));
        by = "words of another language";
    }

    private static CauseClassifier of(CommandLine.Call call, SalientLines salient, @Nullable Integer exitCode) {
        CauseClassifier classifier = new CauseClassifier(call, salient);
        classifier.classify(salient, exitCode);
        return classifier;
    }

    /** The pattern of the hash. */
    String pattern() {
        if (cause != null && noun == null && code == null && exceptionName == null && words.isEmpty()) {
            return cause.name();
        }
        List<String> parts = new ArrayList<>();
        boolean wrapped = call.words().isEmpty() && cause != null && (!cause.weak() || noun != null);
        if (exceptionName != null && !wrapped && !ofNetwork()) {
            parts.add(Slugs.kebab(exceptionName));
        }
        if (code != null) {
            parts.add(code);
        }
        if (cause != null) {
            parts.add(noun == null ? cause.name() : noun + '-' + cause.name());
        }
        parts.addAll(words);
        return String.join("-", parts);
    }

    /**
     * The operation of the hash: that of the call where the cause is not told or the tool keeps it, the service that
     * was asked, with the method where the cause is not told or is a refusal, the library that failed, {@code run} for
     * a tool whose operations are not known, or empty.
     */
    String operation() {
        String operation = HostNames.withoutOwnHost(reported(), call.operands(), !isGeneral() && !isStatus());
        boolean anyMethod = call.printsAnswer() && isTold() && !AnswerCause.isRefusal(cause);
        return anyMethod ? HostNames.withoutMethod(operation) : operation;
    }

    private String reported() {
        boolean served = answered && call.printsAnswer() && line != null && line.answer() != null;
        if (cause != null && cause.always() && code == null && !served) {
            return "";
        }
        String text = line == null ? "" : line.text;
        boolean own = ofNetwork() && !AnswerCause.isRefusal(cause) || text.startsWith(call.tool() + ": ");
        boolean named = ToolTable.isOfUser(call.tool()) && text.contains("://");
        String request = answered || named || !own && call.printsAnswer() ? request() : null;
        if (request != null) {
            return request;
        }
        if (library != null) {
            return library;
        }
        boolean known = ToolTable.hasOperations(call.tool());
        boolean program = known || !call.words().isEmpty();
        if (!program || !isTold() || ToolTable.isByOperation(call.tool())) {
            return call.operation();
        }
        return known ? "" : OperationParser.ANY;
    }

    /** Whether the hash tells the cause without the operation; the status of an answer or a general code does not. */
    private boolean isTold() {
        if (isStatus() || isGeneralCode()) {
            return noun != null || !words.isEmpty();
        }
        return code != null || noun != null || (cause == null ? words.size() > 1 : !cause.weak() || !words.isEmpty());
    }

    /** Whether the code is only the status of an answer. */
    private boolean isStatus() {
        return code != null && code.startsWith("http-");
    }

    /** The request that was answered, if the call names it, or the error of a program of the user; else null. */
    private @Nullable String request() {
        if (ToolTable.listed("http-clients", call.tool())) {
            return HostNames.request(call.words());
        }
        return isGeneral() && line != null && ToolTable.isOfUser(call.tool()) ? HostNames.named(line, ranked) : null;
    }

    /** Whether nothing but a status, or a refusal without its reason, tells the cause. */
    private boolean isGeneral() {
        return isGeneralCode() || code == null && noun == null && words.isEmpty() && AnswerCause.isRefusal(cause);
    }

    private boolean isGeneralCode() {
        return by.equals("status") || by.equals("general code");
    }

    /** Whether the cause is that of a failed connection, whatever was called. */
    private boolean ofNetwork() {
        return cause != null && cause.anywhere();
    }

    /** The subject of the error. */
    String subject() {
        return line == null ? "" : Subject.of(line, hit, cause == null ? "" : cause.name(), echo);
    }

    /** The rule that decided, and the line that it matched. */
    String explanation() {
        String text = line == null ? "" : line.message;
        if (text.length() > 120) {
            int end = text.offsetByCodePoints(0, Math.min(100, text.codePointCount(0, text.length())));
            text = text.substring(0, end) + "…";
        }
        return by + (text.isEmpty() ? "" : " in \"" + text + '"');
    }

    private void classify(SalientLines salient, @Nullable Integer exitCode) {
        boolean told = !ranked.isEmpty() && (call.printsAnswer() ? request(salient.lines()) : answer(ranked.get(0)));
        for (ScoredLine candidate : told ? List.<ScoredLine>of() : top(CODE_LINES)) {
            if (candidate.rank < SalientLines.TRAILER && ranked.size() > 1
                    || structured(candidate)
                    || candidate.tellsCause(echo)) {
                break;
            }
        }
        if (answered) {
            return;
        }
        if (cause == null && code == null) {
            network(salient.lines());
        }
        if (cause == null && code == null) {
            lexicon();
        }
        boolean compared = cause != null && cause.name().equals("type-mismatch");
        String rule = (isUndecided() || compared) && !ranked.isEmpty() ? ErrorCodes.rule(ranked.get(0).text) : null;
        if (rule != null) {
            cause = null;
            code = Slugs.kebab(rule);
            line = ranked.get(0);
            by = "rule " + rule;
        }
        boolean undecided = isUndecided();
        for (ScoredLine candidate : salient.lines()) {
            if (AnswerLine.isKnownErrorId(candidate) && (undecided || isUnsure()) && answer(candidate)) {
                return;
            }
        }
        boolean vague = undecided || cause != null && cause.weak() && noun == null;
        for (ScoredLine candidate : vague ? salient.lines() : List.<ScoredLine>of()) {
            if ((undecided || AnswerLine.isErrorId(candidate)) && answer(candidate)) {
                return;
            }
        }
        refine();
        findProgram();
        String exitCause = ErrorCodes.exit(exitCode);
        if (isUndecided() && exitCause != null) {
            HashCause named = HashCause.of(exitCause);
            decide(named.name().equals(NO_PROGRAM.name()) ? NO_PROGRAM : named, line, EXIT_STATUS + exitCode);
        }
        boolean weak = cause != null && cause.weak();
        if (weak && exceptionName != null && noun == null) {
            cause = null;
            addMessage();
        } else if (isUndecided() || weak && noun == null) {
            addWords();
        } else if (weak && line != null) {
            words.addAll(line.signs(2 - words.size()));
        } else if (cause == null && code == null) {
            addMessage();
        }
        nameForeign();
        if (isUndecided() && words.isEmpty() && usage(salient.lines())) {
            return;
        }
        if (isUndecided() && words.isEmpty()) {
            words.add(RuleBasedHasher.UNKNOWN);
            by = "nothing";
        }
    }

    /** Whether the line reports a structured answer, which then decides. */
    private boolean answer(ScoredLine candidate) {
        AnswerLine answer = candidate.answer();
        if (answer == null) {
            return false;
        }
        boolean user = ToolTable.isOfUser(call.tool());
        AnswerCause told = AnswerCause.of(answer, user ? top(CODE_LINES) : List.of(), echo);
        tell(told, candidate);
        if (told.isOfWords() && !user && call.words().isEmpty() && !candidate.isReplaced()) {
            readPlainly(candidate);
        }
        return true;
    }

    /** Reads the message of a tool of an agent as if nothing were around it. */
    private void readPlainly(ScoredLine candidate) {
        hit = candidate.hit();
        cause = hit == null ? null : hit.value();
        noun = hit == null ? null : CauseLexicon.noun(candidate.tokens(), hit, echo);
        String named = cause == null ? "" : cause.name();
        List<String> known = words.stream()
                .filter(word -> WordTables.telling(word) && !named.contains(word))
                .limit(DiagnosticWords.MAX_WORDS_OF_WEAK)
                .toList();
        if (cause != null || known.size() > 1) {
            words.clear();
            words.addAll(noun == null ? known : List.of());
        }
    }

    /** Whether a line of a request's error reports an answer; of several the first that tells more than a status. */
    private boolean request(List<ScoredLine> lines) {
        boolean alone = lines.size() == 1 && !lines.get(0).text.startsWith(call.tool() + ": ");
        List<ScoredLine> first = lines.subList(0, Math.min(lines.size(), LEXICON_LINES));
        AnswerCause.Told told = AnswerCause.ofRequest(first, echo, alone);
        if (told != null) {
            tell(told.cause(), told.line());
        }
        return told != null;
    }

    private void tell(AnswerCause told, ScoredLine candidate) {
        answered = true;
        line = candidate;
        cause = told.cause();
        noun = told.noun();
        hit = told.hit();
        code = told.code();
        words.addAll(told.words());
        by = told.by();
        addReason(candidate);
    }

    /** Adds the words of a refusal that no code tells apart: an expired token and a missing one are not one family. */
    private void addReason(ScoredLine candidate) {
        if (AnswerCause.isRefusal(cause) && code == null && words.isEmpty() && ToolTable.isOfUser(call.tool())) {
            words.addAll(DiagnosticWords.reason(candidate, top(CODE_LINES), echo));
            exceptionName = words.isEmpty() ? exceptionName : null;
        }
    }

    /** Adds the method that took too long, if the message of a program of the user begins with its name. */
    private void addMethod(ScoredLine candidate) {
        boolean waited = cause != null && TIMEOUTS.contains(cause.name()) && ToolTable.isOfUser(call.tool());
        if (!waited || !words.isEmpty()) {
            return;
        }
        ExceptionClass exception = candidate.exception();
        Matcher method = METHOD.matcher(exception == null ? candidate.message : exception.message());
        if (method.lookingAt()) {
            words.add(Slugs.kebab(method.group(1)));
        }
    }

    /** Adds words of the message if its exception is of the class that a library uses for all errors. */
    private void addMessage() {
        ScoredLine decisive = exceptionName == null || !words.isEmpty() ? null : line;
        ExceptionClass exception = decisive == null ? null : decisive.exception();
        if (decisive != null && exception != null && exception.isBase(decisive.text)) {
            words.addAll(AnswerCause.reason(exception.message(), echo));
        }
    }

    /** Whether the output is the usage of the tool; it is of the operation only if it names it. */
    private boolean usage(List<ScoredLine> lines) {
        for (ScoredLine candidate : lines) {
            if (candidate.text.regionMatches(true, 0, "usage:", 0, 6)) {
                String named = call.tool() + ' ' + call.operation();
                boolean own = lines.stream().anyMatch(other -> other.text.contains(named));
                decide(HashCause.of(own ? "usage" : "usage always"), candidate, "usage");
                return true;
            }
        }
        return false;
    }

    private boolean isUndecided() {
        return cause == null && code == null && exceptionName == null;
    }

    /** Whether the words of a line name the cause vaguely, or in another language. */
    private boolean isUnsure() {
        boolean weak = cause != null && cause.weak();
        return weak || line != null && !Languages.english(line.raw).equalsIgnoreCase(line.raw.replace(" :", ":"));
    }

    private void decide(HashCause decided, @Nullable ScoredLine where, String how) {
        cause = decided;
        line = where;
        by = how;
    }

    private void decide(HashCause decided, ScoredLine where, PhraseMatcher.PhraseHit phrase) {
        decide(decided, where, "phrase for " + decided.name());
        hit = phrase;
    }

    /** Whether the line has an exception class that says something, an errno name or an error code. */
    private boolean structured(ScoredLine candidate) {
        String variable = ErrorCodes.variable(candidate.text);
        if (variable != null) {
            code = variable;
            decide(ErrorCodes.variableCause(candidate.text), candidate, "environment variable");
            return true;
        }
        ExceptionClass exception = candidate.exception();
        boolean script = ToolTable.listed("interpreters", call.tool());
        String name = exception == null ? null : exception.telling(candidate.text, script);
        String classCause = name == null ? null : ErrorCodes.classCause(name);
        boolean ofTool = call.words().isEmpty() && !call.printsAnswer();
        classCause = ofTool && "network-timeout".equals(classCause) ? "timeout" : classCause;
        PhraseMatcher.PhraseHit named = candidate.hit();
        boolean told = named != null
                && (named.value().isWithin(classCause)
                        || ofTool
                                && classCause != null
                                && !AnswerCause.isRefusal(HashCause.of(classCause))
                                && (!named.value().weak()
                                        || CauseLexicon.noun(candidate.tokens(), named, echo) != null));
        if (classCause != null && named != null && IN_USE.contains(named.value().name())) {
            return false;
        }
        if (classCause != null && !told) {
            decide(HashCause.of(classCause), candidate, "class " + name);
            return true;
        }
        String errno = ErrorCodes.errno(candidate.tokens());
        if (errno != null) {
            PhraseMatcher.PhraseHit phrase = candidate.hit();
            boolean command = phrase != null && phrase.value().name().equals("command-not-found");
            decide(command ? NO_PROGRAM : HashCause.of(errno), candidate, "errno");
            return true;
        }
        boolean words =
                named != null && (!named.value().weak() || CauseLexicon.noun(candidate.tokens(), named, echo) != null);
        code = ErrorCodes.code(candidate, words);
        String status = code == null ? ErrorCodes.http(candidate.tokens()) : null;
        if (status != null && (ToolTable.isOfUser(call.tool()) || ofTool)) {
            String message = exception == null ? candidate.message : exception.message();
            AnswerLine answer = AnswerLine.ofMessage(status.substring(status.indexOf('-') + 1), message);
            AnswerCause inner = AnswerCause.of(answer, top(CODE_LINES), echo);
            if (!ofTool || inner.cause() != null) {
                tell(inner, candidate);
                return true;
            }
        }
        code = code == null ? status : code;
        if (code == null
                && (name == null || ofTool && candidate.words(2, true, echo, "").size() > 1)) {
            return false;
        }
        exceptionName = code == null ? name : null;
        line = candidate;
        by = code == null ? "class " + name : "code " + code;
        return true;
    }

    private void network(List<ScoredLine> lines) {
        int searched = 0;
        for (ScoredLine candidate : lines) {
            if (candidate.rank > SalientLines.NOISE && searched++ < NETWORK_LINES) {
                PhraseMatcher.PhraseHit phrase = candidate.hitAnywhere();
                if (phrase != null) {
                    boolean inner = candidate.text.startsWith("ssh: ")
                            && !call.tool().equals("ssh")
                            && !call.tool().equals("scp");
                    HashCause named = phrase.value();
                    decide(inner ? HashCause.of("ssh-" + named.name()) : named, candidate, phrase);
                    return;
                }
            }
        }
    }

    private void lexicon() {
        boolean wrapped = call.words().isEmpty();
        for (ScoredLine candidate : top(LEXICON_LINES)) {
            ScoredLine best = ranked.get(0);
            int floor = wrapped ? SalientLines.OTHER : best.rank - 30;
            if (candidate != best && candidate.rank < Math.max(SalientLines.OTHER, floor)) {
                break;
            }
            PhraseMatcher.PhraseHit phrase = candidate.hit();
            if (phrase != null && (cause == null || !phrase.value().weak())) {
                decide(phrase.value(), candidate, phrase);
                noun = phrase.value().noun() ? CauseLexicon.noun(candidate.tokens(), phrase, echo) : null;
                if (!wrapped || !phrase.value().weak() || noun != null) {
                    break;
                }
            }
        }
        if (exceptionName == null && (cause == null || cause.weak() && noun == null)) {
            readMessage();
        }
    }

    /** Reads the lines of the message of an exception whose first line tells nothing; the frames end it. */
    private void readMessage() {
        ScoredLine best = ranked.isEmpty() ? null : ranked.get(0);
        if (best == null || best.exception() == null) {
            return;
        }
        for (int i = lines.indexOf(best) + 1; i < lines.size() && lines.get(i).rank > SalientLines.NOISE; i++) {
            PhraseMatcher.PhraseHit phrase = lines.get(i).rank < SalientLines.DIAGNOSTIC
                    ? null
                    : lines.get(i).hit();
            if (phrase != null && !phrase.value().weak()) {
                decide(phrase.value(), lines.get(i), phrase);
                noun = phrase.value().noun() ? CauseLexicon.noun(lines.get(i).tokens(), phrase, echo) : null;
                return;
            }
        }
    }

    /** Whether the decisive line begins with the name of a tool, which then reports what the line says. */
    boolean isReportedBy(String tool) {
        int colon = line == null ? -1 : line.text.indexOf(": ");
        return line != null
                && colon > 0
                && ToolTable.canonical(line.text.substring(0, colon)).equals(tool);
    }

    /** The program that is missing, which is the tool of the failure; null if none is. */
    @Nullable String program() {
        return program;
    }

    /** Whether the decisive line says that a program is missing. */
    private void findProgram() {
        ScoredLine decisive = line != null || ranked.isEmpty() ? line : ranked.get(0);
        program = decisive == null ? null : MissingProgram.of(decisive, lines);
        if (program != null) {
            code = null;
            noun = null;
            exceptionName = null;
            words.clear();
            decide(NO_PROGRAM, decisive, "missing program");
        }
    }

    /** Splits causes by the call and the line. */
    private void refine() {
        if (cause == null || line == null) {
            return;
        }
        for (ScoredLine detail : top(CODE_LINES + 1)) {
            if (detail.text.regionMatches(true, 0, "symbol:", 0, 7)) {
                words.add(detail.text.substring(7).strip().split(" ", 2)[0]);
            }
        }
        cause = MissingFile.refine(cause, call, line, ranked, subject());
        if (hit != null && MissingFile.isUnnamed(cause, line.tokens(), hit.first(), echo)) {
            words.addAll(line.words(DiagnosticWords.MAX_WORDS_OF_WEAK, true, echo, cause.name()));
        }
        addReason(line);
        addMethod(line);
        boolean named = code != null || exceptionName != null && !ofNetwork() || !words.isEmpty();
        boolean compiled = ToolTable.listed("user-programs", call.tool());
        List<ScoredLine> chain = compiled || CauseLexicon.isOfConnection(cause.name()) ? lines : List.of(line);
        library = named && !compiled || !ToolTable.isOfUser(call.tool()) ? null : HostNames.library(chain);
        if (code == null && (library != null || compiled)) {
            words.addAll(DiagnosticWords.ofCoarse(line, echo, cause.name()));
        }
    }

    private void addWords() {
        DiagnosticWords found = DiagnosticWords.of(ranked, line, cause, echo, ToolTable.isOfUser(call.tool()));
        if (found != null) {
            words.addAll(found.words());
            line = found.line();
            by = by.isEmpty() ? "words" : by + " and words";
        }
    }

    private List<ScoredLine> top(int count) {
        return ranked.subList(0, Math.min(ranked.size(), count));
    }
}

package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule-based classifier of failures. The first source that names a cause decides: the class of an exception, an errno
 * name or another error code, a network cause on any line, the lexicon on the most salient lines, the exit status, the
 * diagnostic words of the best line.
 */
final class CauseClassifier {
    private static final String EXIT_STATUS = "exit status ";

    /** What the class of a refusal or of a parser is too: a file in use on Windows, a key that is there twice. */
    private static final Set<String> OF_ANY_CLASS = Set.of("busy", "locked", "duplicate-key");

    /** What any field of a request can be: words of the message tell which. */
    private static final Set<String> OF_VALUES =
            Set.of("out-of-range", "too-long", "too-short", "type-mismatch", "field-missing", "invalid-choice");

    private static final Set<String> TIMEOUTS = Set.of("timeout", "network-timeout");

    private static final int LEXICON_LINES = 8;
    private static final int CODE_LINES = 3;
    private static final int NETWORK_LINES = 120;

    private final CommandLine.Call call;
    private final List<ScoredLine> ranked;
    private final List<ScoredLine> lines;
    private final Set<String> echo;

    /** Whether the call is of a program of the user, and of a tool of an agent that prints no answer of a service. */
    private final boolean ofUser;

    private final boolean ofTool;
    private final Diagnosis found;

    private CauseClassifier(CommandLine.Call called, SalientLines salient) {
        this.call = ToolTable.listed("jvm-builds", called.tool()) && salient.isOfProgram() ? called.program() : called;
        this.ranked = salient.ranked();
        this.lines = salient.lines();
        this.echo = CallWords.of(call);
        this.ofUser = ToolTable.isOfUser(call.tool());
        this.ofTool = call.words().isEmpty() && !call.printsAnswer();
        this.found = new Diagnosis(call, ranked, echo);
    }

    /**
     * Classifies an error.
     *
     * @param read the lines of the error or of what it is an excerpt of, if they are read; or null
     */
    static Diagnosis of(CommandLine.Call call, String error, @Nullable Integer exitCode, @Nullable SalientLines read) {
        SalientLines salient = SalientLines.of(call, error, false, read);
        Diagnosis found = of(call, salient, exitCode);
        if (!found.isUndecided() && !found.by.startsWith(EXIT_STATUS)
                || Languages.isForeign(error)
                || !salient.isTranslatable()) {
            return found;
        }
        Diagnosis translated = of(call, SalientLines.of(call, error, true, null), exitCode);
        return translated.isUndecided() ? found : translated;
    }

    private static Diagnosis of(CommandLine.Call call, SalientLines salient, @Nullable Integer exitCode) {
        CauseClassifier classifier = new CauseClassifier(call, salient);
        classifier.classify(exitCode);
        return classifier.found;
    }

    private void classify(@Nullable Integer exitCode) {
        if (!ranked.isEmpty() && (call.printsAnswer() ? request() : answer(ranked.get(0)))) {
            return;
        }
        for (ScoredLine candidate : top(CODE_LINES)) {
            if (candidate.rank < SalientLines.TRAILER && ranked.size() > 1
                    || structured(candidate)
                    || candidate.tellsCause(echo)) {
                break;
            }
        }
        if (found.answered) {
            return;
        }
        if (found.cause == null && found.code == null && !network()) {
            lexicon();
        }
        readRule();
        if (readErrorId(found.isUndecided())) {
            return;
        }
        refine();
        findProgram();
        String exitCause = ErrorCodes.exit(exitCode);
        if (found.isUndecided() && exitCause != null) {
            found.decide(HashCause.of(exitCause), found.line, EXIT_STATUS + exitCode);
        }
        addWords();
        if (found.isUndecided() && found.words.isEmpty() && !usage()) {
            found.words.add(RuleBasedHasher.UNKNOWN);
            found.by = "nothing";
        }
    }

    /** Reads the rule of a linter that the best line reports, if its words name no cause or only compare a count. */
    private void readRule() {
        boolean compared = found.cause != null && found.cause.name().equals("type-mismatch");
        boolean open = (found.isUndecided() || compared) && !ranked.isEmpty();
        String rule = open ? ErrorCodes.rule(ranked.get(0).text) : null;
        if (rule != null) {
            found.cause = null;
            found.code = Slugs.kebab(rule);
            found.line = ranked.get(0);
            found.by = "rule " + rule;
        }
    }

    /** Whether a structured answer below the best line decides, such as the id of an error of PowerShell. */
    private boolean readErrorId(boolean undecided) {
        for (ScoredLine candidate : lines) {
            if (AnswerLine.isKnownErrorId(candidate) && (undecided || isUnsure()) && answer(candidate)) {
                return true;
            }
        }
        for (ScoredLine candidate : undecided || found.isVague() ? lines : List.<ScoredLine>of()) {
            if ((undecided || AnswerLine.isErrorId(candidate)) && answer(candidate)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the line reports a structured answer, which then decides. */
    private boolean answer(ScoredLine candidate) {
        AnswerLine answer = candidate.answer();
        if (answer == null) {
            return false;
        }
        AnswerCause told = AnswerCause.of(answer, ofUser ? top(CODE_LINES) : List.of(), echo);
        tell(told, candidate);
        if (told.isOfWords() && !ofUser && call.words().isEmpty() && !candidate.isReplaced()) {
            readPlainly(candidate);
        }
        return true;
    }

    /** Reads the message of a tool of an agent as if nothing were around it. */
    private void readPlainly(ScoredLine candidate) {
        found.hit = candidate.hit();
        found.cause = found.hit == null ? null : found.hit.value();
        found.noun = found.hit == null ? null : CauseLexicon.noun(candidate.tokens(), found.hit, echo);
        String named = found.cause == null ? "" : found.cause.name();
        List<String> known = found.words.stream()
                .filter(word -> WordTables.telling(word) && !named.contains(word))
                .limit(DiagnosticWords.MAX_WORDS_OF_WEAK)
                .toList();
        if (found.cause != null || known.size() > 1) {
            found.words.clear();
            found.words.addAll(found.noun == null ? known : List.of());
        }
    }

    /** Whether a line of a request's error reports an answer; of several the first that tells more than a status. */
    private boolean request() {
        boolean alone = lines.size() == 1 && !lines.get(0).text.startsWith(call.tool() + ": ");
        List<ScoredLine> first = lines.subList(0, Math.min(lines.size(), LEXICON_LINES));
        AnswerCause.Told told = AnswerCause.ofRequest(first, echo, alone);
        if (told != null) {
            tell(told.cause(), told.line());
        }
        return told != null;
    }

    private void tell(AnswerCause told, ScoredLine candidate) {
        found.tell(told, candidate);
        addReason(candidate);
    }

    /** Adds the words of a refusal that no code tells apart: an expired token and a missing one are not one family. */
    private void addReason(ScoredLine candidate) {
        HashCause cause = found.cause;
        if (cause == null || found.code != null || !found.words.isEmpty()) {
            return;
        }
        boolean refused = CauseLexicon.isRefusal(cause);
        if (ofUser && refused) {
            found.words.addAll(DiagnosticWords.reason(candidate, top(CODE_LINES), echo));
            found.exceptionName = found.words.isEmpty() ? found.exceptionName : null;
        } else if (found.answered
                && call.printsAnswer()
                && (refused && !cause.name().equals("rate-limited")
                        || found.noun == null && OF_VALUES.contains(cause.name()))) {
            AnswerLine answer = candidate.answer();
            found.words.addAll(AnswerCause.refusal(answer == null ? candidate.message : answer.message(), echo));
        }
    }

    /** Whether the output is the usage of the tool; it is of the operation only if it names it. */
    private boolean usage() {
        for (ScoredLine candidate : lines) {
            if (isUsage(candidate)) {
                String named = call.tool() + ' ' + call.operation();
                boolean own = lines.stream().anyMatch(other -> other.text.contains(named));
                found.decide(HashCause.of(own ? "usage" : "usage always"), candidate, "usage");
                return true;
            }
        }
        return false;
    }

    private static boolean isUsage(ScoredLine line) {
        return line.text.regionMatches(true, 0, "usage:", 0, 6);
    }

    /** Whether a line follows the usage of the tool, so that it belongs to the help. */
    private boolean isBelowUsage(ScoredLine line) {
        return lines.subList(0, lines.indexOf(line)).stream().anyMatch(CauseClassifier::isUsage);
    }

    /** Whether the words of a line name the cause vaguely, or in another language. */
    private boolean isUnsure() {
        boolean weak = found.cause != null && found.cause.weak();
        String raw = found.line == null ? "" : found.line.raw;
        return weak || !Languages.english(raw).equalsIgnoreCase(raw.replace(" :", ":"));
    }

    /** Whether the line has an exception class that says something, an errno name or an error code. */
    private boolean structured(ScoredLine candidate) {
        String variable = ErrorCodes.variable(candidate.text);
        if (variable != null) {
            found.code = variable;
            found.decide(ErrorCodes.variableCause(candidate.text), candidate, "environment variable");
            return true;
        }
        ExceptionClass exception = candidate.exception();
        String name = exception == null
                ? null
                : exception.telling(candidate.text, ToolTable.listed("interpreters", call.tool()));
        String ofClass = name == null ? null : ErrorCodes.classCause(name);
        PhraseMatcher.PhraseHit named = candidate.hit();
        if (ofClass != null
                && named != null
                && OF_ANY_CLASS.contains(named.value().name())) {
            return false;
        }
        ofClass = ofTool && "network-timeout".equals(ofClass) ? "timeout" : ofClass;
        if (ofClass != null && !wordsOutrank(ofClass, candidate)) {
            found.decide(HashCause.of(ofClass), candidate, "class " + name);
            return true;
        }
        String errno = ErrorCodes.errno(candidate.tokens());
        if (errno != null) {
            boolean command = named != null && named.value().name().equals("command-not-found");
            found.decide(HashCause.of(command ? "command-not-found" : errno), candidate, "errno");
            return true;
        }
        return code(candidate) || thrown(candidate, name);
    }

    /** Whether the words of a line say more than the cause of the class of its exception. */
    private boolean wordsOutrank(String ofClass, ScoredLine candidate) {
        PhraseMatcher.PhraseHit named = candidate.hit();
        boolean refused = CauseLexicon.isRefusal(HashCause.of(ofClass));
        return named != null && (named.value().isWithin(ofClass) || ofTool && !refused && candidate.tells(echo));
    }

    /** Whether an error code or the status of an answer in the line decides. */
    private boolean code(ScoredLine candidate) {
        found.code = ErrorCodes.code(candidate, candidate.tells(echo));
        String status = found.code == null ? ErrorCodes.http(candidate.tokens()) : null;
        if (status != null && (ofUser || ofTool)) {
            AnswerLine answer = AnswerLine.ofMessage(status.substring(status.indexOf('-') + 1), candidate.said());
            AnswerCause inner = AnswerCause.of(answer, top(CODE_LINES), echo);
            if (!ofTool || inner.cause() != null) {
                tell(inner, candidate);
                return true;
            }
        }
        found.code = found.code == null ? status : found.code;
        found.line = found.code == null ? found.line : candidate;
        found.by = found.code == null ? found.by : "code " + found.code;
        return found.code != null;
    }

    /** Whether the name of an exception decides, since the words of the line may not. */
    private boolean thrown(ScoredLine candidate, @Nullable String name) {
        if (name == null || ofTool && candidate.words(2, true, echo, "").size() > 1) {
            return false;
        }
        found.exceptionName = name;
        found.line = candidate;
        found.by = "class " + name;
        return true;
    }

    /** Whether a line names a cause on the way to a server, which then decides. */
    private boolean network() {
        boolean remote = call.tool().equals("ssh") || call.tool().equals("scp");
        int searched = 0;
        for (ScoredLine candidate : lines) {
            boolean read = candidate.rank > SalientLines.NOISE && searched++ < NETWORK_LINES;
            PhraseMatcher.PhraseHit phrase = read ? candidate.hitAnywhere() : null;
            if (phrase != null) {
                found.decide(candidate, phrase);
                boolean inner = !remote && candidate.text.startsWith("ssh: ");
                found.cause = inner ? HashCause.of("ssh-" + phrase.value().name()) : phrase.value();
                return true;
            }
        }
        return false;
    }

    private void lexicon() {
        boolean wrapped = call.words().isEmpty();
        for (ScoredLine candidate : top(LEXICON_LINES)) {
            ScoredLine best = ranked.get(0);
            int floor = wrapped ? SalientLines.OTHER : best.rank - 30;
            if (candidate != best && candidate.rank < Math.max(SalientLines.OTHER, floor)) {
                break;
            }
            if (decide(candidate, found.cause == null) && (!wrapped || !found.isVague())) {
                break;
            }
        }
        if (found.exceptionName == null && (found.cause == null || found.isVague())) {
            readMessage();
        }
    }

    /** Whether the words of a line name a cause, which then decides; a weak one only if it is asked for. */
    private boolean decide(ScoredLine candidate, boolean weak) {
        PhraseMatcher.PhraseHit phrase = candidate.hit();
        if (phrase == null || phrase.value().weak() && !weak) {
            return false;
        }
        found.decide(candidate, phrase);
        found.noun = candidate.noun(echo);
        return true;
    }

    /** Reads the lines of the message of an exception whose first line tells nothing; the frames end it. */
    private void readMessage() {
        ScoredLine best = ranked.isEmpty() ? null : ranked.get(0);
        int i = best == null || best.exception() == null ? lines.size() : lines.indexOf(best) + 1;
        while (i < lines.size()
                && lines.get(i).rank > SalientLines.NOISE
                && (lines.get(i).rank < SalientLines.DIAGNOSTIC || !decide(lines.get(i), false))) {
            i++;
        }
    }

    /** Whether the decisive line says that a program is missing. */
    private void findProgram() {
        ScoredLine decisive = found.line != null || ranked.isEmpty() ? found.line : ranked.get(0);
        String program = decisive == null ? null : MissingProgram.of(decisive, lines);
        if (program != null) {
            found.miss(program, decisive);
        }
    }

    /** Splits causes by the call and the line. */
    private void refine() {
        ScoredLine line = found.line;
        if (found.cause == null || line == null) {
            return;
        }
        for (ScoredLine detail : top(CODE_LINES + 1)) {
            if (detail.text.regionMatches(true, 0, "symbol:", 0, 7)) {
                found.words.add(detail.text.substring(7).strip().split(" ", 2)[0]);
            }
        }
        HashCause cause = MissingFile.refine(found.cause, call, line, ranked, found.subject());
        found.cause = cause;
        if (found.hit != null && MissingFile.isUnnamed(cause, line.tokens(), found.hit.first(), echo)) {
            found.words.addAll(line.words(DiagnosticWords.MAX_WORDS_OF_WEAK, true, echo, cause.name()));
        }
        addReason(line);
        if (TIMEOUTS.contains(cause.name()) && ofUser && found.words.isEmpty()) {
            found.words.addAll(DiagnosticWords.method(line));
        }
        boolean named =
                found.code != null || found.exceptionName != null && !found.ofNetwork() || !found.words.isEmpty();
        boolean compiled = ToolTable.listed("user-programs", call.tool());
        List<ScoredLine> chain = compiled || CauseLexicon.isOfConnection(cause.name()) ? lines : List.of(line);
        found.library = named && !compiled || !ofUser ? null : HostNames.library(chain);
        if (found.code == null && (found.library != null || compiled)) {
            found.words.addAll(DiagnosticWords.ofCoarse(line, echo, cause.name()));
        }
    }

    /** Adds words where no cause, a weak one, or only the class of an exception is told. */
    private void addWords() {
        boolean base = found.isVague() && found.exceptionName != null;
        found.cause = base ? null : found.cause;
        if (!base && (found.isUndecided() || found.isVague())) {
            DiagnosticWords told = DiagnosticWords.of(ranked, found.line, found.cause, echo, ofUser);
            if (told != null) {
                found.words.addAll(told.words());
                found.line = told.line();
                found.by = found.by.isEmpty() ? "words" : found.by + " and words";
            }
        } else if (!base && found.cause != null && found.cause.weak() && found.line != null) {
            found.words.addAll(found.line.signs(2 - found.words.size()));
        } else if (found.code == null && found.cause == null && found.words.isEmpty() && found.line != null) {
            found.words.addAll(DiagnosticWords.ofBase(found.line, echo));
        }
        List<String> foreign = found.isUndecided() && !ranked.isEmpty() && !isBelowUsage(ranked.get(0))
                ? DiagnosticWords.ofForeign(ranked.get(0), echo)
                : List.of();
        if (!foreign.isEmpty()) {
            found.line = ranked.get(0);
            found.words.clear();
            found.words.addAll(foreign);
            found.by = "words of another language";
        }
    }

    private List<ScoredLine> top(int count) {
        return ranked.subList(0, Math.min(ranked.size(), count));
    }
}

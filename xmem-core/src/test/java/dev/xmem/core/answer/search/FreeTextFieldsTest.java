package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Free text finds an entry by each of its fields, given a word that is in this field only. */
class FreeTextFieldsTest {
    private static final Map<String, String> FAILURE = fields(
            "id", "'2026-02-10-001'",
            "ts", "'2026-02-10T16:30:00Z'",
            "type", "'tool_failure'",
            "tool", "'rclone'",
            "action", "'sync folder'",
            "error", "'something went wrong'",
            "evidence", "'the salient lines'",
            "exit_code", "3",
            "pattern_avoid", "'check the name'",
            "tried_also", "['ls','show']",
            "block_level", "'warning'",
            "tags", "['gdrive','config']",
            "ctx_hash", "'rclone-sync-wrong'",
            "subject", "'folder'",
            "session_id", "'monday'",
            "notes", "'a remark'");
    private static final Map<String, String> SUCCESS = fields(
            "id", "'2026-02-10-002'",
            "ts", "'2026-02-10T17:00:00Z'",
            "type", "'tool_success'",
            "tool", "'git'",
            "action", "'commit'",
            "pattern_name", "'Atomic commit'",
            "signature", "'heredoc'",
            "key_steps", "['stage the files','write a message']",
            "critical_params", "{'format':'eof'}",
            "confidence", "0.95",
            "usage_count", "12",
            "tags", "['commit']",
            "ctx_hash", "'git-commit-heredoc'",
            "session_id", "'monday'",
            "answers", "['2026-02-10-001']");
    private static final Map<String, String> NOTE = fields(
            "ts", "'2026-02-10T18:00:00Z'",
            "type", "'fact'",
            "content", "'the user prefers Python'",
            "tags", "['preference']",
            "meta", "{'source':{'page':4}}");
    private static final Map<String, String> DIRECTIVE = fields(
            "id", "'2026-02-10-003'",
            "ts", "'2026-02-10T19:00:00Z'",
            "scope", "'local'",
            "kind", "'rule'",
            "triple", "{'subject':'build','predicate':'run','object':'once'}",
            "canonical", "'Never run the build repeatedly'",
            "strength", "1",
            "source", "'user_direct'",
            "tags", "['heavy']",
            "dedupe_key", "'build|run|once'");

    @TempDir
    Path directory;

    private static Map<String, String> fields(String... namesAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private static String line(Map<String, String> fields) {
        StringJoiner line = new StringJoiner(",", "{", "}");
        fields.forEach((name, value) -> line.add("'" + name + "':" + value));
        return line.toString();
    }

    private static String line(Map<String, String> fields, String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(fields);
        changed.put(name, value);
        return line(changed);
    }

    /** A store with the entry to find and one other entry of each kind. */
    private void check(String log, String meant, String word) {
        Stores.append(directory, "failures.jsonl", line(FAILURE));
        Stores.append(directory, "successes.jsonl", line(SUCCESS));
        Stores.append(directory, "notes.jsonl", line(NOTE));
        Stores.append(directory, "memories.ndjson", line(DIRECTIVE));
        Stores.append(directory, log, meant);
        try (XMemStore store = Stores.in(directory)) {
            for (Query query : new Query[] {Query.literal(word), Query.words(word)}) {
                assertThat(store.search(query).matches())
                        .as("%s", query.textMode())
                        .singleElement()
                        .satisfies(match -> assertThat(match.entry().json()).contains(word));
                assertThat(store.search(query).total()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
                    id              ! '2026-03-11-777'                                               ! 2026-03-11-777
                    ts              ! '2031-07-08T16:30:00Z'                                         ! 2031-07-08T16
                    tool            ! 'Zorbtool'                                                     ! Zorbtool
                    action          ! 'sync Zorbaction now'                                          ! Zorbaction
                    error           ! 'fatal: Zorberror there'                                       ! Zorberror
                    evidence        ! 'and then Zorbevidence'                                        ! Zorbevidence
                    exit_code       ! 13713                                                          ! 13713
                    pattern_avoid   ! 'never use Zorbadvice again'                                   ! Zorbadvice
                    tried_also      ! ['nothing','the Zorbattempt too']                              ! Zorbattempt
                    block_level     ! 'critical'                                                     ! critical
                    tags            ! ['plain','Zorbtag']                                            ! Zorbtag
                    ctx_hash        ! 'rclone-sync-zorbhash'                                         ! zorbhash
                    subject         ! 'Zorbsubject'                                                  ! Zorbsubject
                    session_id      ! 'Zorbsession'                                                  ! Zorbsession
                    notes           ! 'some Zorbremark'                                              ! Zorbremark
                    mood            ! 'rather Zorbgrumpy'                                            ! Zorbgrumpy
                    mood            ! {'deep':[{'Zorbkey':['Zorbleaf']}]}                            ! Zorbkey
                    mood            ! {'deep':[{'Zorbkey':['Zorbleaf']}]}                            ! Zorbleaf
                    """)
    void search_wordInOneFieldOfAFailure_findsIt(String field, String value, String word) {
        Map<String, String> other = new LinkedHashMap<>(FAILURE);
        other.put("id", "'2026-02-10-004'");
        check("failures.jsonl", line(other, field, value), word);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
                    id              ! '2026-03-11-778'                                               ! 2026-03-11-778
                    ts              ! '2031-07-08T16:30:00Z'                                         ! 2031-07-08T16
                    tool            ! 'Zorbtool'                                                     ! Zorbtool
                    action          ! 'Zorbaction'                                                   ! Zorbaction
                    pattern_name    ! 'A Zorbname pattern'                                           ! Zorbname
                    signature       ! 'Zorbsignature'                                                ! Zorbsignature
                    key_steps       ! ['first','then the Zorbstep']                                  ! Zorbstep
                    critical_params ! {'Zorbkey':{'Zorbinner':'Zorbvalue'}}                          ! Zorbkey
                    critical_params ! {'Zorbkey':{'Zorbinner':'Zorbvalue'}}                          ! Zorbinner
                    critical_params ! {'Zorbkey':{'Zorbinner':'Zorbvalue'}}                          ! Zorbvalue
                    critical_params ! {'port':48151}                                                 ! 48151
                    confidence      ! 0.8125                                                         ! 0.8125
                    usage_count     ! 62342                                                          ! 62342
                    tags            ! ['Zorbtag']                                                    ! Zorbtag
                    ctx_hash        ! 'git-commit-zorbhash'                                          ! zorbhash
                    session_id      ! 'Zorbsession'                                                  ! Zorbsession
                    answers         ! ['2026-01-09-815']                                             ! 2026-01-09-815
                    mood            ! 'rather Zorbgrumpy'                                            ! Zorbgrumpy
                    """)
    void search_wordInOneFieldOfASuccess_findsIt(String field, String value, String word) {
        Map<String, String> other = new LinkedHashMap<>(SUCCESS);
        other.put("id", "'2026-02-10-005'");
        check("successes.jsonl", line(other, field, value), word);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
                    ts              ! '2031-07-08T16:30:00Z'                                         ! 2031-07-08T16
                    type            ! 'Zorbtype'                                                     ! Zorbtype
                    content         ! 'the user\\nlikes Zorbcontent'                                 ! Zorbcontent
                    tags            ! ['Zorbtag']                                                    ! Zorbtag
                    meta            ! {'Zorbkey':{'inner':'Zorbvalue'}}                              ! Zorbkey
                    meta            ! {'Zorbkey':{'inner':'Zorbvalue'}}                              ! Zorbvalue
                    meta            ! {'line':48151}                                                 ! 48151
                    mood            ! ['rather','Zorbgrumpy']                                        ! Zorbgrumpy
                    """)
    void search_wordInOneFieldOfANote_findsIt(String field, String value, String word) {
        check("notes.jsonl", line(NOTE, field, value), word);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
                    id              ! '2026-03-11-779'                                               ! 2026-03-11-779
                    ts              ! '2025-07-08T16:30:00Z'                                         ! 2025-07-08T16
                    kind            ! 'constraint'                                                   ! constraint
                    triple          ! {'subject':'Zorbsubject','predicate':'is','object':'good'}     ! Zorbsubject
                    triple          ! {'subject':'tests','predicate':'Zorbpredicate','object':'it'}  ! Zorbpredicate
                    triple          ! {'subject':'tests','predicate':'are','object':'Zorbobject'}    ! Zorbobject
                    canonical       ! 'Never touch the Zorbsentence'                                 ! Zorbsentence
                    source          ! 'Zorbsource'                                                   ! Zorbsource
                    tags            ! ['Zorbtag']                                                    ! Zorbtag
                    dedupe_key      ! 'Zorbkey|is|good'                                              ! Zorbkey
                    mood            ! 'rather Zorbgrumpy'                                            ! Zorbgrumpy
                    """)
    void search_wordInOneFieldOfADirective_findsIt(String field, String value, String word) {
        Map<String, String> other = new LinkedHashMap<>(DIRECTIVE);
        other.put("id", "'2026-02-10-006'");
        other.put("triple", "{'subject':'tests','predicate':'are','object':'fast'}");
        other.put("canonical", "'Tests are to be fast'");
        other.put("dedupe_key", "'tests|are|fast'");
        check("memories.ndjson", line(other, field, value), word);
    }
}

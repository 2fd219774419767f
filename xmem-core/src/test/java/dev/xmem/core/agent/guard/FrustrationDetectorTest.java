package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that complain about a repeated failure, and others. */
class FrustrationDetectorTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "this error again",
                "This error again!!",
                "ugh, not this again",
                "It failed again with the same message",
                "Same error as yesterday.",
                "we're getting the exact same problem again",
                "it's still not working",
                "it still doesn't work",
                "The build keeps failing",
                "I keep getting this error",
                "wtf, again?",
                "OK. But this bug is happening again",
                "that error is back",
                "schon wieder dieser Fehler",
                "Schon wieder derselbe Mist",
                "Das geht immer noch nicht!",
                "wieder der gleiche Fehler",
                "Dieser Fehler kommt schon wieder",
                "encore cette erreur !",
                "toujours la même erreur",
                "ça ne marche toujours pas",
                "otra vez este error",
                "el mismo error de siempre",
                "todavía no funciona",
                "de novo esse erro",
                "ainda não funciona",
                "di nuovo questo errore",
                "non funziona ancora",
                "alweer deze fout",
                "het werkt nog steeds niet",
                "znowu ten sam błąd",
                "nadal nie działa",
                "zase ta stejná chyba",
                "samma fel igen",
                "det fungerar fortfarande inte",
                "опять эта ошибка",
                "до сих пор не работает",
                "знову ця помилка",
                "досі не працює",
                "yine bu hata",
                "hâlâ çalışmıyor",
                "error ini muncul lagi",
                "lại lỗi này",
                "又是这个错误",
                "怎么又报错了",
                "还是不行,还是报错",
                "又出現這個錯誤",
                "またこのエラーか",
                "同じエラーが出ました",
                "まだ動かない",
                "또 이 오류가 나네요",
                "아직도 안 돼요",
                "نفس الخطأ مرة أخرى",
                "फिर से वही गलती",
            })
    void message_saysThatItHappenedAgain_isKnown(String message) {
        assertThat(FrustrationDetector.in(message)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello again",
                "please run the tests again",
                "try again without the flag",
                "Read the error message and explain it to me",
                "add a test for the error handling",
                "what does this error mean?",
                "great, it works again",
                "no errors this time, thank you",
                "the error is gone",
                "so that this error never happens again",
                "make sure this problem never comes again",
                "retry on error, then fail again",
                "if the same error occurs again, tell me",
                "use the same names for the errors enum",
                "again, thank you",
                "what is an error budget",
                "still there? let's go on",
                "Starte die Tests noch einmal",
                "Es funktioniert wieder, danke",
                "Was bedeutet dieser Fehler?",
                "kein Fehler mehr",
                "Damit dieser Fehler nicht wieder vorkommt",
                "relance les tests encore une fois",
                "il n'y a plus d'erreur",
                "ejecuta otra vez las pruebas",
                "ya no sale el error",
                "rode os testes de novo",
                "esegui di nuovo i test",
                "draai de tests opnieuw",
                "het werkt weer",
                "uruchom testy jeszcze raz",
                "запусти тесты снова",
                "больше не падает, спасибо",
                "testleri tekrar calistir",
                "再试一次",
                "没有错误了",
                "もう一度試してください",
                "エラーの意味は何ですか",
                "다시 실행해 주세요",
                "شغل الاختبارات",
            })
    void message_saysSomethingElse_isNot(String message) {
        assertThat(FrustrationDetector.in(message)).isFalse();
    }

    /** A complaint between other sentences is heard; the other sentences alone are none. */
    @Test
    void message_complaintBetweenOtherSentences_isKnown() {
        String before = "Good morning. I renamed the branch and pushed the fonts. The designer wants a larger logo. ";
        String after = " Afterwards we look at the invoices. There is no hurry with the translations.";
        assertThat(FrustrationDetector.in(before + "By the way, the build still fails with the same error." + after))
                .isTrue();
        assertThat(FrustrationDetector.in(before + after)).isFalse();
    }

    /** The rules are compared with folded messages, so a rule that is not folded matches nothing. */
    @Test
    void rules_areFolded() {
        for (RuleFile.Section section : RuleFile.sections(FrustrationDetector.class, "frustration.txt")) {
            assertThat(section.body()).allSatisfy(rule -> {
                String words = rule.replaceAll("\\b[A-Z]+\\b", "").replace("…", "");
                assertThat(FrustrationDetector.folded(words)).isEqualTo(words);
            });
        }
    }

    @Test
    void message_complaintBesideCodeAndLogs_isKnown() {
        assertThat(FrustrationDetector.in("It fails every time:\n```\nnpm ERR! code 1\n```\nany idea?"))
                .isTrue();
        assertThat(FrustrationDetector.in("still getting `ECONNREFUSED`")).isTrue();
        assertThat(FrustrationDetector.in("2026-11-23 04:00:01 INFO start\n".repeat(500) + "\nsame error again"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "What does this log say?\n```\nthe job failed again, same error\n```",
                "What does this log say?\n[main] the same error again\nERROR: job failed again\n> it fails again",
                "Explain this line: 2026-11-23 04:00:01 WARN failed again",
                "04:00:01 the upload failed again, same error",
                "logger.warn(\"the same error again\");",
                "// it fails again when the cache is cold",
                "Please summarize the ticket 'same error again' for me",
                "fatal: remote error: it fails again",
                "java.io.IOException: the same error again",
            })
    void message_onlyQuotesFailures_isNot(String message) {
        assertThat(FrustrationDetector.in(message)).isFalse();
    }

    /** Unclosed quotations, gaps in the rules and endless words must not make the work grow with the square. */
    @Test
    void message_hostile_isReadInLinearTime() {
        for (String piece : List.of("\"", "«", "`", "'a ", "again ", "same ", "every time ", "```\n", "a", "!", "\n")) {
            assertThat(FrustrationDetector.in(piece.repeat(1 << 20))).isIn(true, false);
        }
    }

    @Test
    void message_ofAMegabyte_isReadAtItsBeginning() {
        assertThat(FrustrationDetector.in("a ".repeat(1 << 19))).isFalse();
        assertThat(FrustrationDetector.in("this error again " + "again ".repeat(1 << 17)))
                .isTrue();
        assertThat(FrustrationDetector.in("this page that table the next ".repeat(1 << 15)))
                .isFalse();
    }
}

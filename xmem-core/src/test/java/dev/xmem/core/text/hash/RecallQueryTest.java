package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Success;
import dev.xmem.core.XMem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which recorded retries are advice for a call. */
class RecallQueryTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a.py; b.py; python3 a.py",
                "a.py; b.py; timeout 5 python3 a.py",
                "python3; .venv/bin/python3; python3 other.py",
                "master; main; git checkout master",
                "npm; pnpm; npm install",
                "origin,main; -u,origin,HEAD; git push origin topic",
                "'';-u; git push",
                "'';mkdir -p out; cp a out/",
                "tests;cd src; ls lib",
                "8080; PORT=8081; serve",
                "'.[].id'; .id; jq .name",
                "--force; --force-with-lease; git push",
            })
    void retry_thatCanHelp_isAdvice(String removed, String added, String action) {
        assertThat(isNoAdvice(removed, added, action)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a.py; b.py; python3 other.py",
                "1474; 72; goto 18",
                "libjansson-dev; net-tools; apt-get install emacs",
                "a.py; -c,print(1); python3 other.py",
                "/usr/lib/jvm; /opt; find src",
                "numpy==1.26.4; numpy; pip install flask",
                "a.py; b.py; python3 b.py",
                "'';-u; git push -u",
            })
    void retry_ofOtherValues_orDoneAlready_isNoAdvice(String removed, String added, String action) {
        assertThat(isNoAdvice(removed, added, action)).isTrue();
    }

    @Test
    void retry_withAnotherValueOfAnOption_isAdvice() {
        assertThat(isNoAdvice("nowhere", "classes", "java -cp out Server", "java -cp classes Main"))
                .isFalse();
        assertThat(isNoAdvice("nowhere", "classes", "java out Server", "java -v classes"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "git | push origin main | git push origin main",
                "pip | install --upgrade pip | pip install --upgrade pip",
                "make | make | make",
                "make | ~~ | make",
                "ls | cd /other && ls | cd /other && ls",
                "make | cd src; make all | cd src; make all",
                "Edit | {\"file_path\":\"a\"} | Edit {\"file_path\":\"a\"}",
                "Bash | {\"command\":\"cd src && make\"} | cd src && make",
            })
    void line_anyCall_hasItsToolOnce(String tool, String action, String line) {
        assertThat(RecallQuery.line(tool, action)).isEqualTo(line);
    }

    private static boolean isNoAdvice(String removed, String added, String action) {
        return isNoAdvice(removed, added, action, "one");
    }

    private static boolean isNoAdvice(String removed, String added, String action, String step) {
        try (var store = XMem.inMemory()) {
            Success retry = store.recordSuccess(Success.of("bash", "a retry")
                    .keySteps(step)
                    .criticalParams("{\"removed\":" + array(removed) + ",\"added\":" + array(added) + "}")
                    .tags("retry"));
            return RecallQuery.isNoAdvice(retry, "bash", action);
        }
    }

    private static List<String> array(String parts) {
        return Stream.of(parts.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .map(part -> '"' + part + '"')
                .collect(Collectors.toList());
    }
}

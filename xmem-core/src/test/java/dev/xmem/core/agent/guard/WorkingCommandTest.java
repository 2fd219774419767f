package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkingCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mvn test",
                "mvn test | tail -3",
                "mvn test 2>&1 | tail -n 20",
                "mvn test 2>&1 | grep -v WARN | head -5",
                "mvn test |& tee out.log",
                "mvn test || true",
                "mvn test; echo done",
                "mvn test; echo \"exit: $?\"",
                "mvn test > log 2>&1; cat log",
                "mvn test >/dev/null",
                "set +e; mvn test",
                "set -euo pipefail; mvn test",
                "set -e\nmvn test",
                "( mvn test )",
                "mvn test &",
                "  mvn test ;",
                "test",
            })
    void of_whatReadsTheOutput_isLeftOut(String line) {
        assertThat(WorkingCommand.of("mvn", line)).isEqualTo("test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cd sub && mvn test",
                "export A=1; mvn test",
                "pip install x && mvn test",
                "git commit -m 'a | tail -3'",
                "git commit -m \"done; echo x\"",
                "cat log",
                "{\"command\":\"mvn test | tail\"}",
                "",
            })
    void of_whatDoesWork_isKept(String line) {
        assertThat(WorkingCommand.of("mvn", line)).isEqualTo(line);
    }
}

package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code xmem hash}: hashes of the X-MEM protocol, all other characters unchanged. */
class HashSubcommandTest {
    @Test
    void hash_protocolExamples_givesProtocolHashes() {
        Xmem run = Xmem.fed("""
                {"tool":"rclone","action":"sync gdrive-jimmy:folder /local/path","error":"Failed to create file system: didn't find section in config file"}
                {"tool":"npm","action":"npm install left-pad","error":"npm ERR! network request to https://registry.npmjs.org/left-pad failed, reason: connect ETIMEDOUT 104.16.0.35:443"}
                {"type":"tool_success","tool":"git","action":"commit","pattern_name":"Atomic commit with Co-Authored-By","signature":"heredoc"}
                {"type":"tool_success","tool":"bash","pattern_name":"Heredoc: escape quotes"}
                """, "hash");

        assertThat(run.code()).isZero();
        assertThat(run.lines())
                .extracting(line -> line.replaceFirst(".*\"ctx_hash\":\"([^\"]*)\".*", "$1"))
                .containsExactly(
                        "rclone-sync-config-not-found",
                        "npm-install-network-timeout",
                        "git-commit-heredoc",
                        "bash-heredoc-escape-quotes");
    }

    @Test
    void hash_otherFields_areUnchanged() {
        String line = "{ \"n\":1.50e+3,\"big\":123456789012345678901234567890, \"x\":{\"ctx_hash\":\"inner\"},"
                + "\"tool\":\"npm\",\"action\":\"i\",\"error\":\"\\u00e4ä😀\\/\"";

        Xmem run = Xmem.fed(line + " }\r\n", "hash");

        assertThat(run.out()).startsWith(line + " ,\"ctx_hash\":\"npm-").endsWith("\"}\n");
    }

    @Test
    void hash_existingFields_areReplacedInPlace() {
        Xmem run = Xmem.fed(
                "{\"ctx_hash\":[1,{\"a\":2}],\"tool\":\"npm\",\"subject\":3,\"action\":\"install x\",\"error\":\"e\"}",
                "hash");

        assertThat(run.out())
                .matches("\\{\"ctx_hash\":\"npm-[^\"]*\",\"tool\":\"npm\",\"subject\":\"[^\"]*\","
                        + "\"action\":\"install x\",\"error\":\"e\"}\n");
    }

    @Test
    void hash_invalidLines_areReportedAndOthersHashed() {
        Xmem run = Xmem.fed("""
                {"tool":"npm","action":"install x","error":"E404"}

                nonsense
                {"action":"install x"}
                {"tool":[7]}
                [1]
                {"tool":"npm"} {"tool":"npm"}
                {"type":"tool_success","tool":"git"}
                {"tool":"npm","exit_code":"1"}
                {"tool":"npm","action":"install y","error":"E404"}""", "hash");

        assertThat(run.code()).isEqualTo(Main.REFUSED);
        assertThat(run.lines()).hasSize(2);
        assertThat(run.errors())
                .extracting(error -> error.replaceFirst("\"error\":\"(.{0,22}).*", "$1"))
                .containsExactly(
                        "{\"line\":3,the line is not JSON: ",
                        "{\"line\":4,tool is missing: a str",
                        "{\"line\":5,tool must be a string\"",
                        "{\"line\":6,the line is not a JSON",
                        "{\"line\":7,unexpected text after ",
                        "{\"line\":8,pattern_name is missin",
                        "{\"line\":9,exit_code must be a wh");
    }

    @Test
    void hash_deepNesting_succeeds() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);

        Xmem run = Xmem.fed("{\"tool\":\"npm\",\"error\":\"E404\",\"deep\":" + deep + "}", "hash");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(deep + ",\"ctx_hash\":\"");
    }

    @Test
    void hash_noInput_hasNoOutput() {
        assertThat(Xmem.fed("", "hash")).isEqualTo(new Xmem(0, "", ""));
    }
}

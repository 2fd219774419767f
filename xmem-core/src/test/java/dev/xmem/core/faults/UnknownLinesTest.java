package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.fuzz.EveryMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of a kind that this version does not know, and votes and amendments on them. */
class UnknownLinesTest {
    private static final String PEER = "5f3a9c01d2e4b6875f3a9c01d2e4b687";
    private static final String ID = "2026-02-01-001";
    private static final String LINE = "{'id':'" + ID + "','ts':'2026-02-01T10:00:00Z','type':'%s','tool':'git',"
            + "'error':'quota','tags':['t1'],'more':[1,{'x':null}],'ctx_hash':'git-x'}";
    private static final String VOTE =
            "{'ts':'2026-02-02T10:00:00Z','type':'outcome','target':'" + ID + "','outcome':'worked','session_id':'s'}";
    private static final String RETAG = "{'ts':'2026-02-02T10:00:00Z','type':'amendment','target':'" + ID
            + "','change':'retag','add':['new'],'remove':[]}";

    @TempDir
    Path directory;

    private static void requireAnswers(Path store, String id) {
        try (XMemStore open = Stores.in(store)) {
            assertThat(open.search(Query.all()).total()).isEqualTo(1);
            assertThat(open.search(Query.words("quota")).total()).isEqualTo(1);
            Entry entry = open.find(id).orElseThrow();
            assertThat(entry.json()).contains("\"more\":[1,{\"x\":null}]").contains("\"worked\":1");
            assertThat(entry.tags()).containsExactly("t1", "new");
            new EveryMethod(open).read().write().read().maintain().read();
        }
    }

    @Test
    void search_voteOnAnUnknownLineOfTheOwnLog_isAnswered() {
        Stores.append(directory, "failures.jsonl", LINE.formatted("tool_mood"), VOTE, RETAG);
        requireAnswers(directory, ID);
    }

    @Test
    void search_voteOnAnUnknownLineOfAPeer_isAnswered() throws IOException {
        Files.createDirectories(directory.resolve("data/peers").resolve(PEER));
        Stores.append(directory, "peers/" + PEER + "/failures.jsonl", LINE.formatted("tool_mood"), VOTE, RETAG);
        requireAnswers(directory, ID + "@5f3a9c01");
    }

    /** The line stays readable JSON, or is skipped; with its vote, it is answered in any case. */
    @Test
    void search_anyFlippedBitOfTheType_isAnswered() throws IOException {
        byte[] log = String.join("\n", LINE.formatted("tool_failure"), VOTE, RETAG, "")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
        int from = new String(log, StandardCharsets.UTF_8).indexOf("\"type\"");
        int to = new String(log, StandardCharsets.UTF_8).indexOf(",\"tool\"");
        List<Long> totals = new ArrayList<>();
        for (int bit = from * 8; bit < to * 8; bit++) {
            log[bit / 8] ^= (byte) (1 << bit % 8);
            Path store = directory.resolve("bit" + bit);
            Files.createDirectories(store.resolve("data"));
            Files.write(store.resolve("data/failures.jsonl"), log);
            log[bit / 8] ^= (byte) (1 << bit % 8);
            try (XMemStore open = Stores.in(store)) {
                totals.add(open.search(Query.all()).total());
                assertThat(open.search(Query.words("quota")).total()).isLessThanOrEqualTo(1);
                open.find(ID);
                open.stats().text();
            }
        }
        assertThat(totals).hasSizeGreaterThan(100).allMatch(total -> total <= 1);
        assertThat(totals.stream().filter(total -> total == 1).count()).isGreaterThan(totals.size() / 2);
    }
}

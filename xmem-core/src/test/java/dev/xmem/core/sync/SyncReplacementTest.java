package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Amendment;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replacements between entries of different stores: all stores with equal lines show the same. */
class SyncReplacementTest extends SyncFixture {
    private static List<String> tools(XMemStore store) {
        return store.search(Query.all()).matches().stream()
                .map(match -> match.entry().json().replaceAll(".*\"tool\":\"([a-z]+)\".*", "$1"))
                .sorted()
                .toList();
    }

    private void round(XMemStore... stores) {
        for (int again = 0; again < 2; again++) {
            for (XMemStore store : stores) {
                rounds.sync(store);
            }
        }
    }

    private String shown(String id, String owner) throws IOException {
        return id + "@" + replica(owner).substring(0, 8);
    }

    /** The replacement is erased by its owner, which does not have the replaced entry. */
    @Test
    void purge_replacementOfAnothersEntry_isShownAgainEverywhere() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b");
                XMemStore c = open("c")) {
            String old = fail(a, "git").id();
            fail(b, "npm"); // the same number as the one of a
            String fresh = fail(b, "tar").id();
            round(a, b, c);
            a.amend(old, Amendment.supersededBy(shown(fresh, "b")));
            round(a, b, c);
            for (XMemStore store : List.of(a, b, c)) {
                assertThat(tools(store)).containsExactly("npm", "tar");
            }
            b.purge(Set.of(fresh));
            round(a, b, c);
            for (XMemStore store : List.of(a, b, c)) {
                assertThat(tools(store)).containsExactly("git", "npm");
            }
            assertThat(a.find(old).orElseThrow().json()).doesNotContain("superseded_by");
            assertEqualStates("a", "b", "c");
        }
    }

    /** The replacement is imported after the entry that names it: until then nothing replaces the entry. */
    @Test
    void sync_replacementThatIsNotThereYet_hidesWhenItComes() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            String old = fail(a, "git").id();
            String fresh = fail(b, "tar").id();
            rounds.sync(b);
            rounds.sync(a);
            a.amend(old, Amendment.supersededBy(shown(fresh, "b")));
            rounds.sync(a);
        }
        try (XMemStore late = open("late")) {
            rounds.sync(late);
            assertThat(tools(late)).containsExactly("tar");
            delete(dir("late").resolve("data/peers").resolve(replica("b")));
            assertThat(tools(late)).containsExactly("git");
            rounds.sync(late);
            assertThat(tools(late)).containsExactly("tar");
        }
    }

    @Test
    void purge_theOwnersReplacement_isShownAgainEverywhere() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            String old = fail(a, "git").id();
            String fresh = fail(a, "tar").id();
            a.amend(old, Amendment.supersededBy(fresh));
            round(a, b);
            assertThat(tools(b)).containsExactly("tar");
            a.purge(Set.of(fresh));
            round(a, b);
            assertThat(tools(b)).containsExactly("git");
            assertThat(Stores.ids(b.search(Query.all()))).containsExactly(shown(old, "a"));
            assertEqualStates("a", "b");
        }
    }
}

package dev.xmem.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.agents.Said.Role;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an agent with a memory does, whatever framework it is built with. A test extends it and runs the framework's own loop;
 * what is looked at is what the model is given.
 */
@SuppressWarnings("resource") // stores are closed after each test
public abstract class RememberingAgentContract {
    private static final String MANUAL = "{\"path\":\"manual.md\"}";
    private static final String LESSON = "Files are below docs/: put docs/ in front of the path.";
    private static final int STUBBORN = 12;
    private static final Duration LIMIT = Duration.ofMillis(50);

    private final Library library = new Library();
    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();

    @TempDir
    Path folder;

    /** An agent of a framework. */
    protected interface Agent {
        /**
         * Runs the framework's loop until the model is done.
         *
         * @param conversation the framework's name of a conversation
         * @return what the user reads at the end
         */
        String chat(String conversation, String message) throws Exception;
    }

    /**
     * An agent of the framework with {@link Library#read} as its one tool {@code read}, and with several calls in one turn
     * run concurrently. A result that begins with "Error" is a soft failure.
     *
     * @param memory its memory; null for the same agent without the adapter
     */
    protected abstract Agent agent(@Nullable XMemStore memory, Library tools, ScriptedModel model);

    @AfterEach
    void close() {
        store.close();
    }

    private Agent agent(ScriptedModel model) {
        return agent(store, library, model);
    }

    private ScriptedModel reads(String path, int attempts) throws Exception {
        ScriptedModel model = ScriptedModel.reader(path, attempts);
        agent(model).chat("monday", "What does it say?");
        return model;
    }

    private Failure known(String path, String error, String lesson) {
        return store.recordFailure(
                Failure.of(ToolCall.json("read", "{\"path\":\"" + path + "\"}"), ToolError.text(error))
                        .patternAvoid(lesson));
    }

    private Failure knownMissing() {
        return known("intro.md", ToolError.thrown(missing("intro.md")).text(), LESSON);
    }

    private RuntimeException missing(String path) {
        try {
            library.read(path);
        } catch (IllegalArgumentException e) {
            return e;
        }
        throw new AssertionError("this can be read: " + path);
    }

    private <T extends Entry> List<T> stored(Class<T> type) {
        store.flush();
        return store.search(Query.all().limit(70)).matches().stream()
                .map(match -> match.entry())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    @Test
    void agent_emptyMemory_repeatsTheFailure() throws Exception {
        ScriptedModel model = reads("manual.md", 3);

        assertThat(model.read())
                .hasSize(3)
                .allSatisfy(answer ->
                        assertThat(answer).contains("No such file: manual.md").doesNotContain("docs/"));
        assertThat(stored(Failure.class)).singleElement().satisfies(failure -> {
            assertThat(failure.tool()).isEqualTo("read");
            assertThat(failure.action()).isEqualTo(MANUAL);
            assertThat(failure.error()).contains("No such file: manual.md");
        });
    }

    @Test
    void agent_knownFailure_readsTheAdviceInTheNextMessageAndItsRetryWorks() throws Exception {
        knownMissing();

        ScriptedModel model = reads("manual.md", 3);

        assertThat(model.read()).hasSize(2);
        assertThat(model.given().get(1)).last().satisfies(next -> {
            assertThat(next.role()).isEqualTo(Role.TOOL);
            assertThat(next.text()).contains("No such file: manual.md").contains(LESSON);
        });
        assertThat(model.read().get(1)).contains("# docs/manual.md").doesNotContain(LESSON);
    }

    @Test
    void agent_toolThatReturnsItsError_readsTheAdviceInTheNextMessage() throws Exception {
        known("locked.md", "Error: the file is locked by another user", "Read the copy of it below docs/.");

        ScriptedModel model = reads("locked.md", 3);

        assertThat(model.read()).hasSize(2);
        assertThat(model.read().get(0))
                .contains("Error: the file is locked by another user")
                .contains("Read the copy of it below docs/.");
        assertThat(model.read().get(1)).contains("# docs/locked.md");
    }

    @Test
    void agent_toolThatReturnsItsError_isRemembered() throws Exception {
        reads("locked.md", 1);

        assertThat(stored(Failure.class))
                .singleElement()
                .satisfies(failure -> assertThat(failure.error()).contains("is locked by another user"));
    }

    @Test
    void agent_findsAWayItself_theNextAgentReadsIt() throws Exception {
        agent(ScriptedModel.of(Turn.call(Turn.read("intro.md")), Turn.call(Turn.read("docs/intro.md"))))
                .chat("monday", "Read the introduction.");

        assertThat(stored(Success.class))
                .singleElement()
                .satisfies(pair -> assertThat(pair.answers())
                        .containsExactly(stored(Failure.class).get(0).id()));
        ScriptedModel next = ScriptedModel.reader("manual.md", 3);
        agent(next).chat("tuesday", "Read the manual.");
        assertThat(next.read()).hasSize(2);
        assertThat(next.read().get(0)).contains("docs/intro.md");
        assertThat(next.read().get(1)).contains("# docs/manual.md");
    }

    @Test
    void agent_doesAsAdvised_itsOutcomeIsReported() throws Exception {
        Failure lesson = knownMissing();

        reads("manual.md", 3);

        store.flush();
        assertThat(store.reportOutcome(lesson.id(), Outcome.IRRELEVANT, "monday"))
                .as("a first vote of this conversation")
                .isFalse();
        assertThat(store.reportOutcome(lesson.id(), Outcome.WORKED, "tuesday")).isTrue();
    }

    @Test
    void agent_toolWorks_nothingIsRecorded() throws Exception {
        ScriptedModel model = reads("docs/intro.md", 1);

        assertThat(model.read()).singleElement().asString().contains("# docs/intro.md");
        assertThat(stored(Entry.class)).isEmpty();
    }

    @Test
    void agent_withRules_readsThemBeforeItsTurn() throws Exception {
        store.remember(Directive.parse("never push to main"));
        ScriptedModel model = ScriptedModel.of();

        agent(model).chat("monday", "push it");

        assertThat(model.given()).singleElement().asString().contains("push it").contains("Never push to main");
    }

    @Test
    void agent_userSaysThatItFailsAgain_readsWhatIsKnown() throws Exception {
        knownMissing();
        agent(ScriptedModel.of(Turn.call(Turn.read("manual.md")))).chat("monday", "Read the manual.");
        ScriptedModel model = ScriptedModel.of();

        agent(model).chat("monday", "This error again!");

        assertThat(model.given())
                .singleElement()
                .satisfies(given -> assertThat(given).last().asString().contains("This error again!"))
                .asString()
                .contains(LESSON);
    }

    @Test
    void agent_slashCommand_isAnsweredByTheMemory() throws Exception {
        knownMissing();
        ScriptedModel model = ScriptedModel.of();
        Agent agent = agent(model);

        assertThat(agent.chat("monday", "/xmem:search docs")).contains(LESSON);
        assertThat(agent.chat("monday", "/xmem:serach docs")).contains("There is no command /xmem:serach");
        store.close();
        assertThat(agent.chat("monday", "/xmem:stats")).contains("the store is closed");
        assertThat(model.given()).isEmpty();
    }

    @Test
    void agent_offerOfACommand_isAnsweredWithYes() throws Exception {
        Agent agent = agent(ScriptedModel.of());

        assertThat(agent.chat("monday", "yes")).isEqualTo("done");
        assertThat(agent.chat("monday", "/xmem:recall tool=read action=x.md error=\"No such file: x.md\""))
                .contains("(yes/no)");
        assertThat(agent.chat("tuesday", "yes")).isEqualTo("done");
        assertThat(agent.chat("monday", "yes")).contains("No such file: x.md");
    }

    @Test
    void agent_toolsRunConcurrently_nothingIsRecordedTwice() throws Exception {
        library.meet(8);
        ScriptedModel model = ScriptedModel.of(Turn.call(
                Turn.read("a.md"),
                Turn.read("locked.md"),
                Turn.read("b.md"),
                Turn.read("locked.md"),
                Turn.read("a.md"),
                Turn.read("locked.md"),
                Turn.read("c.md"),
                Turn.read("locked.md")));

        agent(model).chat("monday", "Read them all.");

        assertThat(model.read()).hasSize(8);
        assertThat(stored(Failure.class))
                .extracting(Failure::action)
                .doesNotHaveDuplicates()
                .hasSize(4);
    }

    @Test
    void agents_chatAtTheSameTime_eachFailureIsRecordedOnce() throws Exception {
        library.meet(8);
        List<Callable<String>> chats = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String conversation = "conversation-" + i;
            ScriptedModel model =
                    ScriptedModel.of(Turn.call(Turn.read("manual.md")), Turn.call(Turn.read("manual.md")));
            chats.add(() -> agent(model).chat(conversation, "Read the manual."));
        }
        ExecutorService users = Executors.newFixedThreadPool(chats.size());
        try {
            for (Future<String> chat : users.invokeAll(chats)) {
                assertThat(chat.get()).isEqualTo("done");
            }
        } finally {
            users.shutdownNow();
        }

        assertThat(stored(Failure.class))
                .hasSize(8)
                .extracting(Failure::sessionId)
                .doesNotHaveDuplicates();
    }

    @Test
    void agent_memoryIsClosed_worksAsWithout() throws Exception {
        worksAsWithout(XMemStore::close);
    }

    /** Somebody deletes it, and puts a file in its place. */
    @Test
    void agent_folderIsGone_worksAsWithout() throws Exception {
        worksAsWithout(memory -> {
            List<Path> paths;
            try (Stream<Path> found = Files.walk(directory())) {
                paths = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : paths) {
                Files.delete(path);
            }
            Files.createFile(directory());
        });
    }

    @Test
    void agent_lockIsHeld_worksAsWithout() throws Exception {
        Files.createDirectories(directory().resolve(".xmem"));
        try (FileChannel file = FileChannel.open(
                directory().resolve(".xmem/lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            worksAsWithout(memory -> file.lock());
        }
    }

    @Test
    void agent_diskIsFull_worksAsWithout() throws Exception {
        try (SmallDisk disk = SmallDisk.mountedAt(directory())) {
            worksAsWithout(memory -> disk.fill());
        }
    }

    private Path directory() {
        return folder.resolve("store");
    }

    /** What happens to a memory while an agent runs. */
    private interface Outage {
        void strike(XMemStore memory) throws IOException;
    }

    /** The model is given the same, word for word, and nobody waits longer than the guard's limit at each call. */
    private void worksAsWithout(Outage outage) throws Exception {
        ScriptedModel without = ScriptedModel.reader("manual.md", STUBBORN);
        agent(null, library, without).chat("monday", "What does it say?");
        ScriptedModel with = ScriptedModel.reader("manual.md", STUBBORN);
        try (XMemStore memory = XMem.builder(directory()).guardLimit(LIMIT).open()) {
            Agent agent = agent(memory, library, with);
            outage.strike(memory);
            long began = System.nanoTime();

            agent.chat("monday", "What does it say?");

            assertThat(with.given()).isEqualTo(without.given());
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("to wait 250 ms for the lock at each of %d calls would take longer", STUBBORN)
                    .isLessThan(Duration.ofMillis(STUBBORN * 200));
        }
    }
}

package dev.xmem.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.agents.ModelMessage.Role;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of an agent with a memory, for any framework. A test extends it and runs the loop of the framework; the
 * assertions are about the messages that the model receives.
 */
@SuppressWarnings("resource") // stores are closed after each test
public abstract class RememberingAgentContract extends SessionContract {
    private static final String MANUAL = "{\"path\":\"manual.md\"}";
    private static final String LESSON = "Files are below docs/: put docs/ in front of the path.";
    /** In a text, or in a field of its own. */
    private static final Pattern REPEATS = Pattern.compile(
            "(?:, \\w+=)?\\n*\\[xmem (\\w+)][^\\n]*\\n\\w+ time in this session, unchanged[^\\n]*\\n\\[/xmem \\1]\\n*");

    private static final int ATTEMPTS = 12;
    private static final Duration LIMIT = Duration.ofMillis(50);

    private final FileTool fileTool = new FileTool();
    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        store.close();
    }

    private Agent agent(ScriptedModel model) {
        return agent(store, fileTool, model);
    }

    private ScriptedModel reads(String path, int attempts) throws Exception {
        ScriptedModel model = ScriptedModel.reader(path, attempts);
        agent(model).chat("monday", "What does it say?");
        return model;
    }

    private Failure record(String path, String error, String lesson) {
        return store.recordFailure(
                Failure.of(ToolCall.json("read", "{\"path\":\"" + path + "\"}"), ToolError.text(error))
                        .patternAvoid(lesson));
    }

    private Failure recordMissingFile() {
        return record("intro.md", ToolError.thrown(missing("intro.md")).text(), LESSON);
    }

    private RuntimeException missing(String path) {
        try {
            fileTool.read(path);
        } catch (IllegalArgumentException e) {
            return e;
        }
        throw new AssertionError("the file exists: " + path);
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
    void agent_emptyMemory_repeatsFailure() throws Exception {
        ScriptedModel model = reads("manual.md", 3);

        assertThat(model.toolResults())
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
    void agent_knownFailure_receivesAdviceAndRetrySucceeds() throws Exception {
        recordMissingFile();

        ScriptedModel model = reads("manual.md", 3);

        assertThat(model.toolResults()).hasSize(2);
        assertThat(model.requests().get(1)).last().satisfies(next -> {
            assertThat(next.role()).isEqualTo(Role.TOOL);
            assertThat(next.text()).contains("No such file: manual.md").contains(LESSON);
        });
        // The next call may be warned: once this failure is written, two sessions have met its family.
        assertThat(model.toolResults().get(1)).contains("# docs/manual.md");
    }

    @Test
    void agent_softFailure_receivesAdvice() throws Exception {
        record("locked.md", "Error: the file is locked by another user", "Read the copy of it below docs/.");

        ScriptedModel model = reads("locked.md", 3);

        assertThat(model.toolResults()).hasSize(2);
        assertThat(model.toolResults().get(0))
                .contains("Error: the file is locked by another user")
                .contains("Read the copy of it below docs/.");
        assertThat(model.toolResults().get(1)).contains("# docs/locked.md");
    }

    @Test
    void agent_softFailure_isRecorded() throws Exception {
        reads("locked.md", 1);

        assertThat(stored(Failure.class))
                .singleElement()
                .satisfies(failure -> assertThat(failure.error()).contains("is locked by another user"));
    }

    @Test
    void agent_retrySucceeds_nextAgentReceivesFix() throws Exception {
        agent(ScriptedModel.of(
                        ModelTurn.call(ModelTurn.read("intro.md")), ModelTurn.call(ModelTurn.read("docs/intro.md"))))
                .chat("monday", "Read the introduction.");

        assertThat(stored(Success.class))
                .singleElement()
                .satisfies(pair -> assertThat(pair.answers())
                        .containsExactly(stored(Failure.class).get(0).id()));
        ScriptedModel next = ScriptedModel.reader("intro.md", 3);
        agent(next).chat("tuesday", "Read the introduction.");
        assertThat(next.toolResults()).hasSize(2);
        assertThat(next.toolResults().get(0)).contains("docs/intro.md");
        assertThat(next.toolResults().get(1)).contains("# docs/intro.md");
    }

    @Test
    void agent_callFailsAgainUnchanged_stopsIfAsked() {
        ScriptedModel model = ScriptedModel.reader("manual.md", ATTEMPTS);
        Agent agent = stoppingAgent(CountingStore.of(store), fileTool, model, 3);

        assertThatThrownBy(() -> agent.chat("monday", "What does it say?"))
                .hasStackTraceContaining("RepeatedFailureException")
                .hasStackTraceContaining("failed 3 times in this session");
        assertThat(model.toolResults()).hasSize(2);
    }

    @Test
    void agent_retryReturnsTheSameErrorAsText_isNoFix() throws Exception {
        ScriptedModel model = ScriptedModel.of(
                ModelTurn.call(ModelTurn.read("locked.md")), ModelTurn.call(ModelTurn.read("copies/locked.md")));

        stoppingAgent(store, fileTool, model, 0).chat("monday", "Read it.");

        assertThat(stored(Success.class)).isEmpty();
        assertThat(stored(Failure.class))
                .as("without an option for soft failures")
                .isNotEmpty();
    }

    @Test
    void agent_followsAdvice_outcomeIsReported() throws Exception {
        Failure lesson = recordMissingFile();

        reads("manual.md", 3);

        store.flush();
        assertThat(store.reportOutcome(lesson.id(), Outcome.IRRELEVANT, "monday"))
                .as("the first vote of this conversation")
                .isFalse();
        assertThat(store.reportOutcome(lesson.id(), Outcome.WORKED, "tuesday")).isTrue();
    }

    @Test
    void agent_toolWorks_nothingIsRecorded() throws Exception {
        ScriptedModel model = reads("docs/intro.md", 1);

        assertThat(model.toolResults()).singleElement().asString().contains("# docs/intro.md");
        assertThat(stored(Entry.class)).isEmpty();
    }

    @Test
    void agent_matchingRules_areInFirstRequest() throws Exception {
        store.remember(Directive.parse("never push to main"));
        ScriptedModel model = ScriptedModel.of();

        agent(model).chat("monday", "push it");

        assertThat(model.requests())
                .singleElement()
                .asString()
                .contains("push it")
                .contains("Never push to main");
    }

    @Test
    void agent_userReportsFailureAgain_receivesAdvice() throws Exception {
        recordMissingFile();
        agent(ScriptedModel.of(ModelTurn.call(ModelTurn.read("manual.md")))).chat("monday", "Read the manual.");
        ScriptedModel model = ScriptedModel.of();

        agent(model).chat("monday", "This error again!");

        assertThat(model.requests())
                .singleElement()
                .satisfies(request -> assertThat(request).last().asString().contains("This error again!"))
                .asString()
                .contains(LESSON);
    }

    @Test
    void agent_slashCommand_isAnsweredWithoutModel() throws Exception {
        recordMissingFile();
        ScriptedModel model = ScriptedModel.of();
        Agent agent = agent(model);

        assertThat(agent.chat("monday", "/xmem:search docs")).contains(LESSON);
        assertThat(agent.chat("monday", "/xmem:serach docs")).contains("There is no command /xmem:serach");
        store.close();
        assertThat(agent.chat("monday", "/xmem:stats")).contains("the store is closed");
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void agent_offerOfCommand_acceptsYes() throws Exception {
        Agent agent = agent(ScriptedModel.of());

        assertThat(agent.chat("monday", "yes")).isEqualTo("done");
        assertThat(agent.chat("monday", "/xmem:recall tool=read action=x.md error=\"No such file: x.md\""))
                .contains("(yes/no)");
        assertThat(agent.chat("tuesday", "yes")).isEqualTo("done");
        assertThat(agent.chat("monday", "yes")).contains("No such file: x.md");
    }

    @Test
    void agent_toolsRunConcurrently_nothingIsRecordedTwice() throws Exception {
        if (runsToolsConcurrently()) {
            fileTool.requireConcurrentCalls(8);
        }
        ScriptedModel model = ScriptedModel.of(ModelTurn.call(
                ModelTurn.read("a.md"),
                ModelTurn.read("locked.md"),
                ModelTurn.read("b.md"),
                ModelTurn.read("locked.md"),
                ModelTurn.read("a.md"),
                ModelTurn.read("locked.md"),
                ModelTurn.read("c.md"),
                ModelTurn.read("locked.md")));

        agent(model).chat("monday", "Read them all.");

        assertThat(model.toolResults()).hasSize(8);
        assertThat(stored(Failure.class))
                .extracting(Failure::action)
                .doesNotHaveDuplicates()
                .hasSize(4);
    }

    @Test
    void agents_chatAtTheSameTime_eachFailureIsRecordedOnce() throws Exception {
        fileTool.requireConcurrentCalls(8);
        List<Callable<String>> chats = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String conversation = "conversation-" + i;
            ScriptedModel model = ScriptedModel.of(
                    ModelTurn.call(ModelTurn.read("manual.md")), ModelTurn.call(ModelTurn.read("manual.md")));
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
    void agent_memoryClosed_worksAsWithoutMemory() throws Exception {
        worksAsWithoutMemory(XMemStore::close);
    }

    /** The directory of the store is deleted and a file is created in its place. */
    @Test
    void agent_directoryDeleted_worksAsWithoutMemory() throws Exception {
        worksAsWithoutMemory(memory -> {
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
    void agent_lockHeld_worksAsWithoutMemory() throws Exception {
        Files.createDirectories(directory().resolve(".xmem"));
        try (FileChannel file = FileChannel.open(
                directory().resolve(".xmem/lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            worksAsWithoutMemory(memory -> file.lock());
        }
    }

    @Test
    void agent_diskFull_worksAsWithoutMemory() throws Exception {
        try (TmpfsVolume disk = TmpfsVolume.mountedAt(directory())) {
            worksAsWithoutMemory(memory -> disk.fill());
        }
    }

    private Path directory() {
        return folder.resolve("store");
    }

    /** The requests without the advice that only says how often the call failed in the session. */
    private static List<List<ModelMessage>> withoutRepeats(ScriptedModel model) {
        return model.requests().stream()
                .map(request -> request.stream()
                        .map(message -> new ModelMessage(
                                message.role(), REPEATS.matcher(message.text()).replaceAll("")))
                        .toList())
                .toList();
    }

    /** Makes the memory unusable while an agent runs. */
    private interface Outage {
        void start(XMemStore memory) throws IOException;
    }

    /**
     * The model receives the same messages, but for the repeats that the guard itself counted, and no call waits longer
     * than the guard limit.
     */
    private void worksAsWithoutMemory(Outage outage) throws Exception {
        ScriptedModel withoutMemory = ScriptedModel.reader("manual.md", ATTEMPTS);
        agent(null, fileTool, withoutMemory).chat("monday", "What does it say?");
        ScriptedModel withMemory = ScriptedModel.reader("manual.md", ATTEMPTS);
        try (XMemStore memory = XMem.builder(directory()).guardLimit(LIMIT).open()) {
            Agent agent = agent(memory, fileTool, withMemory);
            outage.start(memory);
            long began = System.nanoTime();

            agent.chat("monday", "What does it say?");

            assertThat(withoutRepeats(withMemory)).isEqualTo(withoutMemory.requests());
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("waiting 250 ms for the lock at each of %d calls would take longer", ATTEMPTS)
                    .isLessThan(Duration.ofMillis(ATTEMPTS * 200));
        }
    }
}

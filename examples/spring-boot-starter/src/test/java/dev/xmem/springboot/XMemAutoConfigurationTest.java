package dev.xmem.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.GuardListener;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.agents.FileTool;
import dev.xmem.agents.ModelTurn;
import dev.xmem.agents.ScriptedModel;
import dev.xmem.core.XMem;
import dev.xmem.git.GitSyncBackend;
import dev.xmem.micrometer.XMemMeters;
import dev.xmem.page.PageServer;
import dev.xmem.postgres.PostgresSyncBackend;
import dev.xmem.spi.Redactor;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.TokenEstimator;
import dev.xmem.springai.XMemAdvisor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class XMemAutoConfigurationTest {
    private static final ToolError NO_UPSTREAM =
            ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");

    @TempDir
    Path folder;

    private final ApplicationContextRunner empty = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EndpointAutoConfiguration.class,
                    MetricsAutoConfiguration.class,
                    ToolCallingAutoConfiguration.class,
                    ChatClientAutoConfiguration.class,
                    XMemObservationAutoConfiguration.class,
                    XMemAutoConfiguration.class,
                    XMemChatClientAutoConfiguration.class,
                    XMemPageAutoConfiguration.class,
                    XMemActuatorAutoConfiguration.class));

    private final ApplicationContextRunner runner =
            empty.withPropertyValues("xmem.in-memory=true", "xmem.guard-limit=60s");

    record FailingTools(FileTool tool) {
        @Tool
        String read(String path) {
            return tool.read(path);
        }
    }

    @Test
    void defaults_aStoreAnAdvisorAndMeters() {
        runner.withBean(ScriptedChatModel.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(XMemStore.class)
                        .hasSingleBean(XMemAdvisor.class)
                        .hasSingleBean(XMemMeters.class)
                        .hasSingleBean(HealthIndicator.class)
                        .doesNotHaveBean(SyncBackend.class));
    }

    @Test
    void disabled_nothing() {
        runner.withPropertyValues("xmem.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(XMemStore.class)
                        .doesNotHaveBean(XMemAdvisor.class)
                        .doesNotHaveBean(XMemEndpoint.class)
                        .doesNotHaveBean(XMemMeters.class));
    }

    @Test
    void disabledBesideAStoreOfTheApplication_nothingElse() {
        runner.withBean(XMemStore.class, XMem::inMemory)
                .withBean(ScriptedChatModel.class)
                .withPropertyValues("xmem.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(XMemStore.class)
                        .doesNotHaveBean(XMemAdvisor.class)
                        .doesNotHaveBean(HealthIndicator.class)
                        .doesNotHaveBean(XMemMeters.class));
    }

    @Test
    void severalStores_areLeftToTheApplicationUnlessOneIsPrimary() {
        ApplicationContextRunner two = runner.withBean(ScriptedChatModel.class)
                .withBean(SimpleMeterRegistry.class, () -> new SimpleMeterRegistry())
                .withBean("first", XMemStore.class, XMem::inMemory);
        two.withBean("second", XMemStore.class, XMem::inMemory)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(XMemAdvisor.class)
                        .doesNotHaveBean(HealthIndicator.class)
                        .doesNotHaveBean(XMemLifecycle.class));
        two.withBean("second", XMemStore.class, XMem::inMemory, definition -> definition.setPrimary(true))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(XMemAdvisor.class)
                        .hasSingleBean(HealthIndicator.class)
                        .hasSingleBean(XMemLifecycle.class));
    }

    @Test
    void withoutOptionalLibraries_aStore() {
        empty.withClassLoader(new FilteredClassLoader(
                        "dev.xmem.git",
                        "dev.xmem.postgres",
                        "dev.xmem.micrometer",
                        "dev.xmem.opentelemetry",
                        "org.springframework.ai",
                        "org.springframework.boot.health",
                        "io.opentelemetry"))
                .withPropertyValues("xmem.in-memory=true")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(XMemStore.class));
    }

    @Test
    void aStoreOfTheApplication_replacesTheOneOfTheProperties() {
        XMemStore own = XMem.inMemory();
        runner.withBean(XMemStore.class, () -> own)
                .run(context -> assertThat(context.getBean(XMemStore.class)).isSameAs(own));
    }

    @Test
    void beansOfTheApplication_areUsedByTheStore() {
        TokenEstimator seven = new TokenEstimator() {
            @Override
            public String id() {
                return "seven";
            }

            @Override
            public int estimate(CharSequence text) {
                return text.length() == 0 ? 0 : 7;
            }
        };
        Redactor redactor = text -> text.replace("hunter2", "***");
        runner.withBean(TokenEstimator.class, () -> seven)
                .withBean(Redactor.class, () -> redactor)
                .withBean(XMemBuilderCustomizer.class, () -> builder -> builder.tokenBudget(5_000))
                .run(context -> {
                    XMemStore store = context.getBean(XMemStore.class);
                    Failure failure = store.recordFailure(
                            Failure.of(ToolCall.shell("login hunter2"), ToolError.exit(1, "wrong password hunter2"))
                                    .patternAvoid("ask the user"));
                    assertThat(failure.json()).doesNotContain("hunter2");
                    store.recordFailure(Failure.of(ToolCall.shell("git push"), NO_UPSTREAM)
                            .patternAvoid("git push -u origin topic"));
                    assertThat(store.recall(ToolCall.shell("git push"), NO_UPSTREAM)
                                    .tokens())
                            .isEqualTo(7);
                });
    }

    @Test
    void properties_areApplied() {
        empty.withPropertyValues(
                        "xmem.directory=" + folder.resolve("store"),
                        "xmem.durability=each",
                        "xmem.reject-secrets=true",
                        "xmem.token-budget=900")
                .run(context -> {
                    XMemStore store = context.getBean(XMemStore.class);
                    assertThat(folder.resolve("store/data")).isDirectory();
                    assertThat(context)
                            .getBean(XMemProperties.class)
                            .extracting(XMemProperties::tokenBudget)
                            .isEqualTo(900);
                    assertThatThrownBy(() -> store.recordFailure(Failure.of(
                                    ToolCall.shell("x"),
                                    ToolError.exit(1, "token ghp_0123456789abcdefghijABCDEFGHIJ012345"))))
                            .isInstanceOf(XMemException.Secret.class);
                });
    }

    @Test
    void syncByAFolder_carriesAFailureToAnotherApplication() {
        String shared = "xmem.sync.folder=" + folder.resolve("shared");
        empty.withPropertyValues("xmem.directory=" + folder.resolve("a"), "xmem.sync.type=folder", shared)
                .run(context -> {
                    XMemStore store = context.getBean(XMemStore.class);
                    store.recordFailure(Failure.of(ToolCall.shell("git push"), NO_UPSTREAM));
                    assertThat(store.sync(Duration.ofSeconds(30)).lastError()).isNull();
                });
        empty.withPropertyValues("xmem.directory=" + folder.resolve("b"), "xmem.sync.type=folder", shared)
                .run(context -> {
                    XMemStore store = context.getBean(XMemStore.class);
                    store.sync(Duration.ofSeconds(30));
                    assertThat(store.stats().failures()).isOne();
                });
    }

    @Test
    void syncByGitOrPostgres_isConfigured() {
        empty.withPropertyValues(
                        "xmem.directory=" + folder.resolve("a"),
                        "xmem.sync.type=git",
                        "xmem.sync.interval=1h",
                        "xmem.sync.git.remote=" + folder.resolve("remote.git").toUri())
                .run(context ->
                        assertThat(context.getBean(SyncBackend.class).id()).isEqualTo("git"));
        empty.withPropertyValues(
                        "xmem.directory=" + folder.resolve("b"),
                        "xmem.sync.type=postgres",
                        "xmem.sync.interval=1h",
                        "xmem.sync.postgres.url=jdbc:postgresql://127.0.0.1:1/none")
                .run(context ->
                        assertThat(context.getBean(SyncBackend.class).id()).startsWith("postgres"));
    }

    @Test
    void syncWithoutItsProperty_failsAndNamesIt() {
        runner.withPropertyValues("xmem.sync.type=folder")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("xmem.sync.folder")
                        .hasMessageContaining("xmem.sync.type"));
    }

    @Test
    void syncWithoutItsModule_failsAndNamesTheDependency() {
        runner.withClassLoader(new FilteredClassLoader(GitSyncBackend.class))
                .withPropertyValues("xmem.sync.type=git", "xmem.sync.git.remote=/nowhere")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("xmem.sync.type")
                        .hasMessageContaining("dev.xmem:xmem-git"));
        runner.withClassLoader(new FilteredClassLoader(PostgresSyncBackend.class))
                .withPropertyValues("xmem.sync.type=postgres")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("dev.xmem:xmem-postgres-sync"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xmem.token-budget=5",
                "xmem.guard-limit=0",
                "xmem.lock-timeout=2h",
                "xmem.sync.interval=1ms",
                "xmem.sync.peer-trust=7"
            })
    void valueThatTheLibraryRefuses_isReportedUnderItsProperty(String property) {
        empty.withPropertyValues(
                        "xmem.directory=" + folder.resolve("store"),
                        "xmem.sync.type=folder",
                        "xmem.sync.folder=" + folder.resolve("shared"),
                        property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("Property " + property.substring(0, property.indexOf('=')) + " with"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xmem.directory=/proc/x",
                "xmem.directory=/dev/null",
                "xmem.sync.type=git xmem.sync.git.remote=-x",
                "xmem.sync.type=git xmem.sync.git.remote=https://user:S3cret@example.org/x password",
                "xmem.sync.type=postgres xmem.sync.postgres.url=jdbc:mysql://example.org/x",
                "xmem.sync.type=postgres xmem.sync.postgres.url=jdbc:postgresql://example.org/x?password=S3cret",
                "xmem.sync.type=postgres xmem.sync.postgres.url=jdbc:postgresql://example.org/x xmem.sync.postgres.schema=A",
                "xmem.page.enabled=true xmem.page.token=S3cret",
                "xmem.page.enabled=true xmem.page.origin=http://example.org",
                "xmem.page.enabled=true xmem.page.port=70000",
                "xmem.page.enabled=true xmem.page.port=TAKEN"
            })
    void valueThatCannotBeUsed_isReportedUnderItsProperty(String properties) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String[] values =
                    properties.replace("TAKEN", "" + taken.getLocalPort()).split(" (?=xmem)");
            String last = values[values.length - 1];
            empty.withPropertyValues("xmem.directory=" + folder.resolve("store"))
                    .withPropertyValues(values)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining(last.substring(0, last.indexOf('=')))
                            .hasMessageNotContaining("S3cret"));
        }
    }

    @Test
    void chatClient_secondSessionIsToldAtTheFirstFailure() {
        ScriptedChatModel model = new ScriptedChatModel();
        runner.withBean(ScriptedChatModel.class, () -> model)
                .withBean(SimpleMeterRegistry.class, () -> new SimpleMeterRegistry())
                .run(context -> {
                    ChatClient client = context.getBean(ChatClient.Builder.class)
                            .defaultTools(new FailingTools(new FileTool()))
                            .build();
                    model.script = ScriptedModel.of(
                            ModelTurn.call(ModelTurn.read("intro.md")),
                            ModelTurn.call(ModelTurn.read("docs/intro.md")));
                    chat(client, "monday");
                    context.getBean(XMemStore.class).flush();
                    model.script = ScriptedModel.reader("intro.md", 3);

                    chat(client, "tuesday");

                    assertThat(model.script.toolResults()).hasSize(2);
                    assertThat(model.script.toolResults().get(0))
                            .contains("No such file: intro.md")
                            .contains("docs/intro.md");
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.get("xmem.told")
                                    .tag("question", "failed")
                                    .counter()
                                    .count())
                            .isOne();
                    assertThat(registry.get("xmem.entries")
                                    .tag("kind", "success")
                                    .gauge()
                                    .value())
                            .isPositive();
                });
    }

    @Test
    void chatClient_unknownTool_isTold() {
        ScriptedChatModel model = new ScriptedChatModel();
        model.script = ScriptedModel.of(ModelTurn.call(new ModelTurn.Call("c", "search_files", "{\"path\":\"a.md\"}")));
        runner.withBean(ScriptedChatModel.class, () -> model).run(context -> {
            chat(
                    context.getBean(ChatClient.Builder.class)
                            .defaultTools(new FailingTools(new FileTool()))
                            .build(),
                    "monday");

            assertThat(model.script.toolResults()).singleElement().asString().contains("The tools are: read");
        });
    }

    @Test
    void chatClient_stopAfter_endsTheTurn() {
        ScriptedChatModel model = new ScriptedChatModel();
        model.script = ScriptedModel.reader("manual.md", 12);
        runner.withBean(ScriptedChatModel.class, () -> model)
                .withPropertyValues("xmem.chat-client.stop-after=2")
                .run(context -> assertThatThrownBy(() -> chat(
                                context.getBean(ChatClient.Builder.class)
                                        .defaultTools(new FailingTools(new FileTool()))
                                        .build(),
                                "monday"))
                        .hasStackTraceContaining("RepeatedFailureException"));
    }

    private static void chat(ChatClient client, String conversation) {
        client.prompt("Read the introduction.")
                .advisors(request -> request.param(ChatMemory.CONVERSATION_ID, conversation))
                .call()
                .content();
    }

    @Test
    void endpoint_tellsStatisticsFamiliesAndVerification() {
        runner.run(context -> {
            XMemStore store = context.getBean(XMemStore.class);
            store.recordFailure(
                    Failure.of(ToolCall.shell("git push"), NO_UPSTREAM).patternAvoid("git push -u origin topic"));
            store.recordFailure(Failure.of(ToolCall.shell("git push"), NO_UPSTREAM));
            store.recordFailure(Failure.of(ToolCall.shell("frob x"), ToolError.exit(1, "frob: no space left")));
            XMemEndpoint endpoint = new XMemEndpoint(store);

            assertThat(endpoint.statistics().failures()).isEqualTo(3);
            XMemEndpoint.Families families = (XMemEndpoint.Families) endpoint.part("families");
            assertThat(families).isNotNull();
            assertThat(families.readFailures()).isEqualTo(3);
            assertThat(families.all()).isTrue();
            assertThat(families.families().get(0).failures()).isEqualTo(2);
            assertThat(families.families().get(0).hasLesson()).isTrue();
            XMemEndpoint.Verification verified = (XMemEndpoint.Verification) endpoint.part("verify");
            assertThat(verified).isNotNull();
            assertThat(verified.clean()).isTrue();
            assertThat(endpoint.part("secrets")).isNull();
        });
    }

    @Test
    void endpoint_isThereOnlyIfExposed() {
        runner.run(context -> assertThat(context).doesNotHaveBean(XMemEndpoint.class));
        runner.withPropertyValues(
                        "management.endpoints.web.exposure.include=xmem",
                        "management.endpoints.jmx.exposure.include=xmem")
                .withPropertyValues("spring.jmx.enabled=true")
                .run(context -> assertThat(context).hasSingleBean(XMemEndpoint.class));
    }

    @Test
    void health_ofAStoreThatCannotAnswer_isUnknownAndNotDown() {
        runner.run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            context.getBean(XMemStore.class).close();

            assertThat(health.health().getStatus()).isEqualTo(Status.UNKNOWN);
            assertThat(health.health().getDetails()).containsKey("problem");
        });
    }

    @Test
    void shutdown_writesWhatTheGuardStillHolds() {
        ApplicationContextRunner onDisk = empty.withPropertyValues("xmem.directory=" + folder.resolve("store"));
        onDisk.run(context -> {
            for (int i = 0; i < 20; i++) {
                context.getBean(XMemStore.class)
                        .guard()
                        .failed(ToolCall.shell("frob " + i).session("s" + i), ToolError.exit(1, "frob: no such thing"));
            }
        });
        onDisk.run(context ->
                assertThat(context.getBean(XMemStore.class).stats().failures()).isEqualTo(20));
    }

    @Test
    void page_isServedIfAskedAndEndsBeforeTheStore() throws Exception {
        HttpClient browser = HttpClient.newHttpClient();
        List<URI> address = new ArrayList<>();
        empty.withPropertyValues(
                        "xmem.directory=" + folder,
                        "xmem.page.enabled=true",
                        "management.endpoints.jmx.exposure.include=xmempage",
                        "spring.jmx.enabled=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Map<String, String> addresses = context.getBean(XMemPageAutoConfiguration.XMemPageEndpoint.class)
                            .addresses();
                    URI page = URI.create(addresses.get("page"));
                    address.add(page);
                    assertThat(status(browser, page)).as("without the token").isEqualTo(401);
                    URI entry = URI.create(addresses.get("entry"));
                    assertThat(status(browser, entry)).isEqualTo(200);
                    assertThat(status(browser, entry)).as("opens once").isEqualTo(401);
                    context.getBean(XMemStore.class)
                            .guard()
                            .failed(ToolCall.shell("git push").session("monday"), NO_UPSTREAM);
                });

        assertThatThrownBy(() -> status(browser, address.get(0))).isInstanceOf(ConnectException.class);
        try (XMemStore store = XMem.open(folder)) {
            assertThat(store.stats().failures()).as("written at the shutdown").isOne();
        }
    }

    private static int status(HttpClient browser, URI address) throws Exception {
        return browser.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void page_withoutItsPropertyOrAFolder_isNotServed() {
        empty.withPropertyValues("xmem.directory=" + folder)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PageServer.class));
        runner.withPropertyValues("xmem.page.enabled=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseMessage("xmem.page.enabled needs a store in a folder: set xmem.in-memory=false"));
    }

    @Test
    void listenersOfTheApplication_hearTheGuard() {
        int[] heard = {0};
        GuardListener listener = new GuardListener() {
            @Override
            public void answered(
                    Question question,
                    @org.jspecify.annotations.Nullable ToolCall call,
                    dev.xmem.Advice advice,
                    Duration took) {
                heard[0]++;
            }
        };
        runner.withBean(GuardListener.class, () -> listener)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    context.getBean(XMemStore.class).guard().failed(ToolCall.shell("git push"), NO_UPSTREAM);
                    assertThat(heard[0]).isOne();
                });
    }

    @Test
    void metadata_describesEachProperty() throws IOException {
        try (InputStream in =
                XMemProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(in).isNotNull();
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\"xmem.directory\"")
                    .contains("\"xmem.sync.type\"")
                    .contains("\"xmem.sync.postgres.url\"")
                    .contains("\"xmem.chat-client.stop-after\"")
                    .contains("How long a guarded call waits for advice.");
        }
    }
}

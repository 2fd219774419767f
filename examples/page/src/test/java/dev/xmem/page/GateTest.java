package dev.xmem.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.Note;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests the page answers. Each test fails without the check that it is about. */
class GateTest {
    @TempDir
    Path folder;

    private XMemStore store;
    private PageServer server;
    private Client anyone;

    @BeforeEach
    void start() throws IOException {
        store = XMem.open(folder);
        store.writeNote(Note.of("note", "stored"));
        server = start(null, false);
        anyone = new Client(server);
    }

    private PageServer start(URI origin, boolean readOnly) throws IOException {
        return PageServer.start(store, folder, Client.TOKEN, new PageServer.Options(0, origin, readOnly));
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
    }

    private String code() {
        return server.entry().getQuery();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:PORT", "127.0.0.1:PORT."})
    void foreignHost_isRefused(String host) throws IOException {
        String named = host.replace("PORT", String.valueOf(server.uri().getPort()));

        assertThat(anyone.entered().with("Host", named).get("/api/hello").status())
                .isEqualTo(403);
        assertThat(anyone.with("Host", named).get("/enter?" + code()).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:PORT"})
    void foreignOrigin_isRefused(String origin) throws IOException {
        String named = origin.replace("PORT", String.valueOf(server.uri().getPort()));

        assertThat(anyone.entered().with("Origin", named).get("/api/hello").status())
                .isEqualTo(403);
    }

    @Test
    void ownOrigin_isAnswered() throws IOException {
        String own = "http://127.0.0.1:" + server.uri().getPort();

        assertThat(anyone.entered().with("Origin", own).get("/api/hello").status())
                .isEqualTo(200);
    }

    @Test
    void withoutCookie_nothingOfTheStoreIsShown() throws IOException {
        for (String view : List.of("hello", "version", "overview", "families", "needs", "search", "journal", "peers")) {
            assertThat(anyone.get("/api/" + view).status()).as(view).isEqualTo(401);
        }
        assertThat(anyone.with("Cookie", "xmem-" + server.uri().getPort() + "=00")
                        .get("/api/hello")
                        .status())
                .isEqualTo(401);
        assertThat(anyone.get("/").status()).isEqualTo(401);
        assertThat(anyone.get("/").body()).contains("Token of this store").doesNotContain("app.js");
    }

    @Test
    void cookie_isStrictAndHiddenFromScripts() throws IOException {
        String cookie = anyone.post("/enter", Client.TOKEN).header("Set-Cookie");

        assertThat(cookie).contains("HttpOnly", "SameSite=Strict").doesNotContain(Client.TOKEN, "Secure");
    }

    @Test
    void code_worksOnce() throws IOException {
        String code = code();

        assertThat(anyone.get("/enter?" + code).status()).isEqualTo(200);
        assertThat(anyone.get("/enter?" + code).status()).isEqualTo(401);
    }

    @Test
    void wrongToken_isRefused_andManyAreNotCompared() throws IOException {
        assertThat(anyone.post("/enter", "a-token-of-the-testz").status()).isEqualTo(401);
        int last = 0;
        for (int i = 0; i < 12; i++) {
            last = anyone.post("/enter", "guess" + i).status();
        }
        assertThat(last).isEqualTo(429);
        assertThat(anyone.post("/enter", Client.TOKEN).status()).isEqualTo(429);
    }

    @Test
    void everyAnswer_forbidsForeignScriptsAndFrames() throws IOException {
        for (String path : List.of("/", "/app.js", "/api/hello", "/nothing")) {
            Client.Answer answer = anyone.get(path);
            assertThat(answer.header("Content-Security-Policy"))
                    .as(path)
                    .contains(
                            "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'")
                    .doesNotContain("unsafe");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        }
        assertThat(anyone.entered().get("/api/hello").header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void act_needsItsHeaderAndJson() throws IOException {
        Client known = anyone.entered();
        String body = "{\"act\":\"compact\"}";

        assertThat(known.post("/api/preview", body).status()).isEqualTo(200);
        assertThat(known.with("X-Xmem-Act", "guess").post("/api/do", body).status())
                .isEqualTo(403);
        assertThat(known.with("Content-Type", "text/plain")
                        .post("/api/do", body)
                        .status())
                .isEqualTo(415);
        assertThat(known.with("Cookie", "").post("/api/do", body).status()).isEqualTo(401);
        assertThat(known.get("/api/do").status()).isEqualTo(404);
    }

    @Test
    void readOnlyPage_changesNothing() throws IOException {
        try (PageServer quiet = start(null, true)) {
            Client known = new Client(quiet).entered();

            assertThat(known.get("/api/hello").json()).containsEntry("read_only", true);
            assertThat(known.post("/api/do", "{\"act\":\"compact\"}").status()).isEqualTo(403);
        }
    }

    @Test
    void sizes_areBounded() throws IOException {
        Client known = anyone.entered();

        assertThat(known.post("/api/do", "x".repeat(70_000)).status()).isEqualTo(413);
        assertThat(known.get("/api/search?q=" + "x".repeat(5_000)).status()).isEqualTo(414);
        assertThat(known.post("/api/do", "[".repeat(20_000)).status()).isEqualTo(400);
    }

    @Test
    void rate_isBounded() throws IOException {
        int last = 200;
        for (int i = 0; i < 2_000 && last != 429; i++) {
            last = anyone.get("/icon.svg").status();
        }
        assertThat(last).isEqualTo(429);
    }

    @Test
    void foreignSite_doesNotLockTheUserOut() throws IOException {
        Client foreign = anyone.with("Sec-Fetch-Site", "cross-site").with("Sec-Fetch-Mode", "no-cors");
        for (int i = 0; i < 300; i++) {
            assertThat(foreign.get(i % 2 == 0 ? "/enter?code=x" : "/icon.svg").status())
                    .isEqualTo(403);
        }
        Client link = foreign.with("Sec-Fetch-Mode", "navigate");
        for (int i = 0; i < 12; i++) {
            link.get("/enter?code=x");
        }

        assertThat(link.get("/").status()).isEqualTo(401);
        assertThat(anyone.entered().get("/api/hello").status()).isEqualTo(200);
    }

    @Test
    void strangers_takeNothingFromWhoIsKnown() throws IOException {
        Client known = anyone.entered();
        rate_isBounded();

        assertThat(known.get("/api/hello").status()).isEqualTo(200);
    }

    @Test
    void cookieOfAnotherProcess_isVoid() throws IOException {
        String cookie = anyone.post("/enter", Client.TOKEN).header("Set-Cookie");
        try (PageServer next = start(null, false)) {
            String value = cookie.substring(cookie.indexOf('='), cookie.indexOf(';'));
            int port = next.uri().getPort();

            assertThat(new Client(next)
                            .with("Cookie", "xmem-" + port + value)
                            .get("/api/hello")
                            .status())
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/Gate.class",
                "/../dev/xmem/page/app.js",
                "/%2e%2e/page/app.js",
                "/dev/xmem/page/app.js",
                "//app.js",
                "/APP.JS"
            })
    void otherFiles_areNotServed(String path) throws IOException {
        assertThat(anyone.get(path).status()).isBetween(400, 404);
    }

    @Test
    void otherMethods_areRefused() throws IOException {
        assertThat(anyone.entered().send("PUT", "/api/hello", "").status()).isEqualTo(405);
        assertThat(anyone.post("/app.js", "").status()).isEqualTo(405);
    }

    @Test
    void otherAddresses_areNotListenedTo() throws IOException {
        Optional<InetAddress> outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeTrue(outside.isPresent(), "the machine has the loopback interface only");

        try (Socket socket = new Socket(outside.get(), server.uri().getPort())) {
            throw new AssertionError("connected to " + socket);
        } catch (ConnectException e) {
            assertThat(e).isNotNull();
        }
    }

    @Test
    void proxy_isNamedExactly() throws IOException {
        try (PageServer behind = start(URI.create("https://memory.example.org"), false)) {
            int port = behind.entry().getPort();
            assertThat(port).isEqualTo(-1);
            assertThat(behind.uri()).hasToString("https://memory.example.org/");
        }
        for (String wrong :
                List.of("http://memory.example.org", "https://u@h", "https://h/path", "https:", "https://h?x")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() ->
                            new PageServer.Options(0, URI.create(wrong.equals("https:") ? "https:x" : wrong), false));
        }
    }

    @Test
    void files_haveNoInlineScriptAndNoMarkupFromText() throws IOException {
        for (String name :
                List.of("index.html", "enter.html", "entered.html", "app.js", "ui.js", "views.js", "enter.js")) {
            String text = new String(PageServer.class.getResourceAsStream(name).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text)
                    .as(name)
                    .doesNotContain(
                            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "style=\"")
                    .doesNotContainPattern("<script>|\\son[a-z]+=\"|https?://(?!www\\.w3\\.org/2000/svg)");
        }
    }
}

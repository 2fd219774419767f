package dev.xmem.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser: {@code ./mvnw verify -Pbrowser -pl examples/page -am}. Skipped where there is none; the
 * variable {@code XMEM_BROWSER} names another one than {@code /usr/bin/chromium}. With
 * {@code -Dxmem.screenshots=docs/page}, the pictures of the documentation are made.
 */
class BrowserTest {
    private static final ToolError REJECTED =
            ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");
    private static final String FAMILY = "git-push-no-upstream";
    private static final String HOSTILE =
            "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script>\u202Egnp.exe"
                    + " javascript:alert(1) ' \" `${window.pwned=1}`";

    /** Writes another folder where the test's own is shown. */
    private static final String HIDE_FOLDER = """
            folder => {
              const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (texts.nextNode()) {
                texts.currentNode.data = texts.currentNode.data.replaceAll(folder, '/home/me/project/.xmem-store');
              }
            }""";

    private static Playwright playwright;
    private static Browser browser;

    @TempDir
    Path folder;

    private XMemStore store;
    private PageServer server;
    private BrowserContext context;
    private Page page;
    private final List<String> troubles = new ArrayList<>();

    @BeforeAll
    static void launch() {
        String named = System.getenv().getOrDefault("XMEM_BROWSER", "/usr/bin/chromium");
        Path program = Stream.of(named, "/usr/bin/chromium", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(program != null, "there is no browser in " + named + "; install chromium, or set XMEM_BROWSER");
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking")));
    }

    @AfterAll
    static void quit() {
        if (playwright != null) {
            playwright.close();
        }
    }

    private void open(int width, int height) throws IOException {
        store = XMem.open(folder);
        server = PageServer.start(store, folder, Client.TOKEN, new PageServer.Options(0, null, false));
        context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setLocale("en-GB")
                .setTimezoneId("UTC"));
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") && !message.text().contains("status of 40")) {
                troubles.add(message.text());
            }
        });
        page.onPageError(troubles::add);
        page.onDialog(dialog -> troubles.add("dialog " + dialog.message()));
        page.navigate(server.entry().toString());
        shown("overview");
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
            server.close();
            store.close();
            assertThat(troubles).isEmpty();
        }
    }

    private void shown(String view) {
        page.waitForSelector("main[data-view=" + view + "]");
        page.waitForFunction("() => !document.querySelector('main .wait')");
    }

    private void show(String address) {
        page.evaluate("address => { location.hash = address }", "#/" + address);
        shown(address.replaceFirst("\\?.*", ""));
        page.waitForTimeout(150);
    }

    private String text() {
        return page.innerText("main");
    }

    private Failure failure(String session) {
        return store.recordFailure(Failure.of(ToolCall.shell("git push").session(session), REJECTED));
    }

    private void act(String button) {
        page.locator("main button", new Page.LocatorOptions().setHasText(Pattern.compile("^" + button + "$")))
                .first()
                .click();
        page.waitForSelector("dialog[open]");
    }

    private void confirm() {
        page.waitForSelector("dialog .command");
        page.click("dialog button.primary");
        page.waitForCondition(() -> !page.isVisible("dialog"));
        page.waitForSelector("#toast div:has-text('done')");
    }

    private void undo() {
        page.click("#toast button:has-text('Undo')");
        page.waitForSelector("#toast div:has-text('Taken back')");
    }

    @Test
    void address_opensThePageOnce_andIsNotKept() throws IOException {
        open(1280, 900);
        assertThat(page.url()).doesNotContain("code=");
        assertThat(page.evaluate("() => document.cookie")).isEqualTo("");
        try (BrowserContext other = browser.newContext()) {
            Page stranger = other.newPage();
            stranger.navigate(server.uri() + "#/families");
            stranger.fill("#token", Client.TOKEN);
            stranger.click("button.primary");
            stranger.waitForSelector("main[data-view=families]");
        }
    }

    @Test
    void person_findsTheCostliestFailureAndTheAdviceThatDoesNotHelp_andRepairsIt() throws IOException {
        open(1280, 900);
        Failure wrong =
                store.recordFailure(Failure.of("git", "push", REJECTED.text()).patternAvoid("push twice"));
        store.reportOutcome(wrong.id(), Outcome.FAILED, "a");
        for (String session : List.of("a", "b", "c")) {
            failure(session);
        }
        page.waitForSelector("main a.row:has-text('" + FAMILY + "')"); // what is recorded while one looks appears
        assertThat(text()).contains("Cost most this week", "Advice that does not help");

        page.click("section:has-text('Advice that does not help') a.row");
        shown("family");
        assertThat(text()).contains("What was said", "Why this family", "push twice", "failed 1×");
        act("Correct…");
        page.fill("#f-text", "push with -u origin HEAD");
        page.waitForSelector("dialog .command code:has-text('-u origin')");
        confirm();
        page.waitForSelector("main:has-text('push with -u origin HEAD')");

        assertThat(store.recall(ToolCall.shell("git push"), REJECTED).text()).contains("-u origin HEAD");
        assertThat(store.find(wrong.id()).orElseThrow().json()).contains("superseded_by");
        undo();
        assertThat(store.find(wrong.id()).orElseThrow().json()).doesNotContain("superseded_by");
    }

    @Test
    void acts_ofAnEntry_areShownDoneAndTakenBack() throws IOException {
        open(1280, 900);
        String id = failure("a").id();
        String other = failure("b").id();
        show("entry?id=" + id);
        String before = store.find(id).orElseThrow().json();
        for (String button : List.of("Pin", "Dismiss", "Replace", "Tags")) {
            act(button);
            switch (button) {
                case "Dismiss" -> page.fill("#f-why", "solved");
                case "Replace" -> page.fill("#f-by", other);
                case "Tags" -> page.fill("#f-add", "flaky");
                default -> {}
            }
            page.waitForTimeout(400);
            page.waitForSelector("dialog .command");
            assertThat(page.innerText("dialog .command code")).contains("xmem --store", "amend", id);
            confirm();
            assertThat(store.find(id).orElseThrow().json()).as(button).isNotEqualTo(before);
            undo();
            assertThat(store.find(id).orElseThrow().json()).as(button).isEqualTo(before);
            page.waitForTimeout(300);
        }
        act("Vote");
        confirm();
        page.waitForSelector("main:has-text('worked 1×')");
        act("Erase");
        page.fill("#f-confirm", id);
        confirm();
        assertThat(store.find(id)).isEmpty();
    }

    @Test
    void lesson_isWrittenWhereItIsMissing() throws IOException {
        open(1280, 900);
        for (String session : List.of("a", "b", "c")) {
            failure(session);
        }
        show("needs");
        page.waitForSelector("main textarea");
        page.fill("main textarea", "use -u");
        act("Teach");
        confirm();
        page.waitForSelector("main:has-text('Nothing.')");
    }

    @Test
    void lesson_thatIsEmpty_isAskedFor() throws IOException {
        open(1280, 900);
        for (String session : List.of("a", "b", "c")) {
            failure(session);
        }
        show("needs");
        page.waitForSelector("main textarea");
        page.locator("main button:has-text('Teach')").first().click();
        assertThat(page.isVisible("dialog")).isFalse();
        assertThat(page.evaluate("() => document.activeElement.tagName")).isEqualTo("TEXTAREA");

        page.fill("main textarea", "use -u");
        act("Teach");
        confirm();
        show("family?hash=" + FAMILY);
        act("Write another lesson…");
        page.waitForSelector("dialog h2:has-text('Not yet')");
        assertThat(page.innerText("dialog")).contains("Write a lesson");
        assertThat(page.isDisabled("dialog button.primary")).isTrue();
        page.fill("#f-text", "set push.autoSetupRemote");
        page.waitForSelector("dialog h2:has-text('Teach " + FAMILY + "')");
        assertThat(page.isDisabled("dialog button.primary")).isFalse();
    }

    @Test
    void addressOfNoView_isSaid() throws IOException {
        open(1280, 900);
        for (String address : List.of("nope", "entry/nope", "entryRow")) {
            page.evaluate("address => { location.hash = address }", "#/" + address);
            page.waitForSelector("main[data-view=unknown]");
            assertThat(text()).contains("Not found", "names no view");
        }
        page.click("main a:has-text('Overview')");
        shown("overview");
        show("entry?id=nope");
        assertThat(text()).contains("There is no entry nope");
    }

    @Test
    void compactionAndBackup_areShownDoneAndTakenBack() throws IOException {
        open(1280, 900);
        failure("a");
        failure("b");
        show("overview");
        act("Compact…");
        page.waitForSelector("dialog .plan li:has-text('failures.jsonl')");
        assertThat(page.innerText("dialog .command code")).endsWith(" compact");
        confirm();
        assertThat(failures()).isEqualTo(1);
        undo();
        assertThat(failures()).isEqualTo(2);

        act("Compact…");
        confirm();
        assertThat(failures()).isEqualTo(1);
        page.waitForSelector("main button:has-text('Restore a backup')");
        act("Restore a backup…");
        assertThat(page.innerText("dialog .command code")).contains(" restore ");
        confirm();
        assertThat(failures()).isEqualTo(2);
    }

    private long failures() {
        return store.search(Query.all().kind(Entry.Kind.FAILURE)).total();
    }

    @Test
    void minedPairs_areAcceptedAndDismissed() throws IOException {
        open(1280, 900);
        Failure failed = failure("a");
        for (String change : List.of("add -u origin HEAD", "add --force")) {
            store.recordSuccess(
                    Success.of("git", change).answers(failed.id()).tags("retry").sessionId(change));
        }
        show("needs");
        page.waitForSelector("main:has-text('Learned from retries (2)')");
        act("Accept");
        confirm();
        page.waitForSelector("main:has-text('Learned from retries (1)')");
        act("Dismiss");
        confirm();
        page.waitForSelector("main:not(:has-text('Learned from retries'))");
        undo();
        page.waitForSelector("main:has-text('Learned from retries (1)')");
    }

    @Test
    void search_endsAtItsLimit() throws IOException {
        try (XMemStore filled = XMem.open(folder)) {
            filled.recordAll(IntStream.range(0, 120)
                    .mapToObj(i -> Note.of("note", "number " + i))
                    .toList());
        }
        open(1280, 900);
        show("search?q=type%3Dnote%20limit%3D55");
        for (int i = 0; i < 8; i++) {
            page.evaluate("() => scrollTo(0, document.body.scrollHeight)");
            page.waitForTimeout(80);
        }
        page.waitForSelector("main [aria-posinset='55'] .row");
        assertThat(page.locator("main [aria-posinset='56']:visible").count()).isZero();
        assertThat(text()).contains("number 65").doesNotContain("number 64");
    }

    @Test
    void families_changeTheirOrderByAButton_andTheAddressKeepsIt() throws IOException {
        DemoStore.fill(folder);
        open(1280, 900);
        show("families");
        page.click("button:has-text('Without a lesson')");
        page.waitForSelector("button[aria-pressed=true]:has-text('Without a lesson')");
        page.waitForSelector("main:has-text('docker')");
        String address = page.url();
        page.click("button:has-text('Advice that does not help')");
        page.waitForSelector("main:has-text('terraform')");
        page.navigate(address);
        page.waitForSelector("button[aria-pressed=true]:has-text('Without a lesson')");
        page.keyboard().press("6");
        shown("journal");
        assertThat(text()).contains("staging database");
        page.keyboard().press("5");
        shown("rules");
        assertThat(text()).contains("Never push to main");
    }

    @Test
    void keys_moveThroughThePage() throws IOException {
        open(1280, 900);
        for (int i = 0; i < 5; i++) {
            store.writeNote(Note.of("note", "number " + i));
        }
        page.keyboard().press("/");
        assertThat(page.evaluate("() => document.activeElement.id")).isEqualTo("q");
        page.keyboard().type("ty");
        page.waitForSelector("#hints li:has-text('type=')");
        page.keyboard().press("Tab");
        page.keyboard().type("note");
        page.keyboard().press("Enter");
        shown("search");
        assertThat(page.url()).contains("q=type%3Dnote");
        page.keyboard().press("Escape");
        page.keyboard().press("j");
        page.keyboard().press("j");
        page.keyboard().press("k");
        assertThat(page.evaluate("() => document.activeElement.parentElement.getAttribute('aria-posinset')"))
                .isEqualTo("1");
        page.keyboard().press("Enter");
        shown("entry");
        page.keyboard().press("?");
        page.waitForSelector("dialog:has-text('Keyboard')");
        page.keyboard().press("Escape");
        page.keyboard().press("2");
        shown("families");
    }

    @Test
    void tenThousandEntries_takeAConstantNumberOfRows() throws IOException {
        try (XMemStore filled = XMem.open(folder)) {
            for (int batch = 0; batch < 10; batch++) {
                List<Note.Draft> notes = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    notes.add(Note.of("note", "number " + (batch * 1_000 + i)));
                }
                filled.recordAll(notes);
            }
        }
        open(1280, 900);
        show("journal");
        Object rows = page.evaluate("() => document.querySelectorAll('main .row').length");
        for (int i = 0; i < 30; i++) {
            page.evaluate("() => scrollTo(0, document.body.scrollHeight)");
            page.waitForTimeout(60);
        }
        assertThat(page.evaluate("() => document.querySelectorAll('main .row').length"))
                .isEqualTo(rows);
        assertThat(text()).doesNotContain("number 9999");
        assertThat(((Number) rows).intValue()).isLessThan(40);
    }

    /** Lines with fields longer than a store accepts, as another program or a peer may write them. */
    private void writeHostileLines() throws IOException {
        String huge = HOSTILE + "<script>window.pwned=1</script>".repeat(35_000);
        List<List<String>> lines = List.of(
                List.of("failures.jsonl", "tool_failure", "tool", "action", "error", "pattern_avoid", "ctx_hash"),
                List.of("successes.jsonl", "success", "goal_class", "approach", "session_id"),
                List.of("memories.ndjson", "directive", "topic", "text", "scope"),
                List.of("notes.jsonl", "note", "content", "session_id"));
        for (String place : List.of("data", "data/peers/00112233445566778899aabbccddeeff")) {
            Files.createDirectories(folder.resolve(place));
            for (List<String> each : lines) {
                String line = Json.object(out -> {
                    out.writeStringField("id", HOSTILE);
                    out.writeStringField("ts", Instant.now().toString());
                    out.writeStringField("type", each.get(1));
                    for (String name : each.subList(2, each.size())) {
                        out.writeStringField(name, huge);
                    }
                    Json.texts(out, "tags", List.of(huge), Integer.MAX_VALUE);
                });
                Files.writeString(
                        folder.resolve(place).resolve(each.get(0)),
                        line + '\n',
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
        }
    }

    @Test
    void hostileStore_runsNothingAndBreaksNothing() throws IOException {
        writeHostileLines();
        open(400, 800);
        Failure failed = store.recordFailure(Failure.of(HOSTILE, HOSTILE, HOSTILE)
                .patternAvoid(HOSTILE)
                .tags(HOSTILE)
                .sessionId(HOSTILE)
                .notes(HOSTILE));
        Note note =
                store.writeNote(Note.of(HOSTILE, HOSTILE + "y".repeat(200_000)).tags(HOSTILE));
        for (String session : List.of("a", "b")) {
            store.guard().failed(ToolCall.json(HOSTILE, HOSTILE).session(session), ToolError.exit(1, HOSTILE));
        }
        store.flush();
        for (String view : List.of(
                "overview",
                "families",
                "needs",
                "search?q=img",
                "rules",
                "journal",
                "peers",
                "entry?id=" + failed.id(),
                "entry?id=" + note.id(),
                "family?hash=" + failed.ctxHash(),
                "family?hash=%3Cscript%3E",
                "entry?id=" + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8).replace("+", "%20"))) {
            show(view);
            assertThat(page.evaluate("() => window.pwned")).as(view).isNull();
            assertThat(page.locator("main img, main script").count()).as(view).isZero();
            assertThat(text()).as(view).doesNotContain("\u202E");
            Object overflow = page.evaluate("() => document.documentElement.scrollWidth - innerWidth");
            assertThat(((Number) overflow).intValue()).as(view).isLessThanOrEqualTo(0);
        }
        show("entry?id=" + failed.id());
        act("Dismiss");
        page.fill("#f-why", HOSTILE);
        page.waitForTimeout(300);
        confirm();
        assertThat(page.evaluate("() => window.pwned")).isNull();
    }

    @Test
    void everyView_meetsTheRulesOfAccessibility() throws IOException {
        DemoStore.fill(folder);
        open(1280, 1000);
        String id = failure("a").id();
        List<String> found = new ArrayList<>();
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            for (String view : List.of(
                    "overview",
                    "families",
                    "family?hash=" + FAMILY,
                    "entry?id=" + id,
                    "needs",
                    "search?q=git",
                    "rules",
                    "journal",
                    "peers")) {
                show(view);
                for (Rule rule : new AxeBuilder(page).analyze().getViolations()) {
                    rule.getNodes()
                            .forEach(node ->
                                    found.add(scheme + " " + view + ": " + rule.getId() + " " + node.getHtml()));
                }
            }
            show("entry?id=" + id);
            act("Dismiss");
            for (Rule rule : new AxeBuilder(page).analyze().getViolations()) {
                rule.getNodes().forEach(node -> found.add(scheme + " dialog: " + rule.getId() + " " + node.getHtml()));
            }
            page.keyboard().press("Escape");
        }
        assertThat(found).isEmpty();
    }

    @Test
    void everyView_fitsANarrowScreen_andIsAPicture() throws IOException {
        DemoStore.fill(folder);
        String pictures = System.getProperty("xmem.screenshots", "");
        open(1280, 1000);
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            for (String view : List.of(
                    "overview", "families?sort=costliest", "family?hash=" + FAMILY, "needs", "search?q=tool%3Dgit")) {
                page.setViewportSize(1280, 1000);
                show(view);
                page.waitForTimeout(400);
                if (!pictures.isEmpty()) {
                    page.evaluate(HIDE_FOLDER, folder.toString());
                    String name =
                            view.replaceFirst("\\?.*", "") + '-' + scheme.name().toLowerCase(java.util.Locale.ROOT);
                    page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(pictures, name + ".png")));
                }
                page.setViewportSize(320, 700);
                page.waitForTimeout(150);
                Object overflow = page.evaluate("() => document.documentElement.scrollWidth - innerWidth");
                assertThat(((Number) overflow).intValue()).as(view).isLessThanOrEqualTo(0);
            }
        }
        page.setViewportSize(1280, 1000);
        show("overview");
        assertThat(text()).contains("Repeat rate", "Shown, then worked", "no findings");
    }
}

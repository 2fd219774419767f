package dev.xmem.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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
        assertThat(page.evaluate("() => document.activeElement.getAttribute('aria-posinset')"))
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

    @Test
    void hostileStore_runsNothingAndBreaksNothing() throws IOException {
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
                "family?hash=%3Cscript%3E")) {
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
        assertThat(text()).contains("Repeat rate", "Told, then worked", "no findings");
    }
}

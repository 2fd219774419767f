package dev.xmem.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class FiguresTest {
    private static final String ABSENT = "literal, absent";

    @TempDir
    Path folder;

    private final List<String> results = new ArrayList<>();

    @Test
    void of_eachUnit_isMicrosecondsOrOperationsPerSecond() throws IOException {
        result("HashBenchmark.hash", Map.of("engine", "xmem"), "ns/op", 1500, 3000);
        result("AppendBenchmark.append", Map.of("engine", "xmem", "entries", "10"), "us/op", 7, 9);
        result("OpenTime.open", Map.of("engine", "xmem", "entries", "10", "archive", "true"), "ms/op", 80, 90);
        result("AppendGroupBenchmark.threads16", Map.of("engine", "xmem", "entries", "10"), "ops/ms", 3, 3);
        List<Measurement> all = read().all();
        assertThat(all).extracting(Measurement::mean).containsExactly(3.0, 9.0, 90_000.0, 3000.0);
        assertThat(all).extracting(Measurement::p50).containsExactly(1.5, 7.0, 80_000.0, 3000.0);
        assertThat(all).extracting(Measurement::rate).containsExactly(false, false, false, true);
        assertThat(all.get(2).operation()).isEqualTo(Measurement.OPEN_ARCHIVE);
    }

    @Test
    void ratio_peerThatStartsPrograms_subtractsStartup() throws IOException {
        search("xmem", 1000, 10, 20);
        search("ripgrep", 1000, 6000, 8000);
        result("SearchStartBenchmark.start", Map.of("program", "rg"), "us/op", 5000, 6000);
        ResultTables tables = new ResultTables(read());
        assertThat(tables.ratio(ABSENT, "ripgrep", "xmem", 1000, false, true)).contains(100.0);
        assertThat(tables.ratio(ABSENT, "ripgrep", "xmem", 1000, true, true)).contains(100.0);
        assertThat(tables.ratio(ABSENT, "ripgrep", "xmem", 1000, false, false)).contains(600.0);
        assertThat(tables.table(ABSENT))
                .contains("| ripgrep (startup 5.00 ms) | 6.00 ms / 8.00 ms / 12.0 ms | 100× | 100× |");
    }

    @Test
    void ratio_ofRates_isInverted() throws IOException {
        result("AppendGroupBenchmark.threads64", Map.of("engine", "xmem", "entries", "10"), "ops/ms", 9, 9);
        result("AppendGroupBenchmark.threads64", Map.of("engine", "floor", "entries", "10"), "ops/ms", 10, 10);
        Results read = read();
        String operation = "append, group commit, 64 threads";
        assertThat(new ResultTables(read)
                        .ratio(operation, "floor", "xmem", 10, true, false)
                        .orElseThrow())
                .isCloseTo(0.9, within(1e-9));
        assertThat(GoalTable.table(read))
                .contains("threads, entries per second: xmem relative to floor | ≥ 0.8× |  | 0.90× | met |");
        assertThat(new ResultTables(read).table(operation))
                .contains("| xmem | 9,000/s |")
                .contains("| floor | 10,000/s |");
    }

    @Test
    void goals_largestStore_reportMetAndNotMet() throws IOException {
        search("xmem", 1000, 1, 1);
        search("ripgrep", 1000, 1_000_000, 1_000_000);
        search("xmem", 100_000, 10, 40);
        search("ripgrep", 100_000, 10_000, 10_000);
        assertThat(GoalTable.table(read()))
                .contains(
                        "literal, absent: ripgrep (startup subtracted) relative to xmem | ≥ 500× | 1,000× | 250× | **not met** |")
                .contains(
                        "literal, one old hit: ripgrep (startup subtracted) relative to xmem | ≥ 500× |  |  | not measured |");
    }

    @Test
    void goals_asData_compareWhatIsNotRendered() throws IOException {
        for (Map.Entry<String, Integer> each :
                Map.of("xmem", 100, "xmem-data", 10, "sqlite", 30).entrySet()) {
            result(
                    "SearchBenchmark.search",
                    Map.of("engine", each.getKey(), "entries", "1000", "query", "LITERAL_COMMON"),
                    "us/op",
                    each.getValue(),
                    each.getValue());
        }
        assertThat(GoalTable.table(read()))
                .contains(
                        "literal, common, newest 20, as data: sqlite relative to xmem | ≥ 1.50× | 3.00× | 3.00× | met |");
    }

    @Test
    void goals_coldStart_subtractJvmStartup() throws IOException {
        open("empty JVM", "false", 70);
        open("xmem", "false", 160);
        open("xmem", "true", 155);
        open("sqlite", "false", 300);
        assertThat(GoalTable.table(read()))
                .contains("open and query, new JVM (JVM startup subtracted) | ≤ 100 ms | 90.0 ms |  | met |")
                .contains("CDS archive (JVM startup subtracted) | ≤ 80.0 ms | 85.0 ms |  | **not met** |")
                .contains("sqlite relative to xmem (JVM startup subtracted) | ≥ 2.00× | 2.56× |  | met |");
    }

    @Test
    void svg_twoSizes_isWellFormedAndDrawsHigherCostHigher() throws Exception {
        search("xmem", 1000, 2, 3);
        search("xmem", 100_000, 4, 3);
        search("sqlite", 1000, 300, 400);
        search("sqlite", 100_000, 9000, 9000);
        result("HashBenchmark.hash", Map.of("engine", "xmem"), "ns/op", 1500, 3000);
        Document svg = parse(ScalingPlot.svg(read()).orElseThrow());
        NodeList lines = svg.getElementsByTagName("polyline");
        assertThat(lines.getLength()).isEqualTo(2);
        double[][] ours = points(lines.item(0));
        double[][] theirs = points(lines.item(1));
        assertThat(ours[0][0]).isEqualTo(theirs[0][0]).isLessThan(ours[1][0]);
        assertThat(theirs[0][1]).isLessThan(ours[0][1]);
        assertThat(theirs[1][1]).isLessThan(theirs[0][1]);
    }

    @Test
    void svg_oneSize_isEmpty() throws IOException {
        search("xmem", 1000, 2, 3);
        assertThat(ScalingPlot.svg(read())).isEmpty();
    }

    @Test
    void quantities_haveThreeDigits() {
        assertThat(List.of(
                        QuantityFormat.time(0.0456),
                        QuantityFormat.time(12.34),
                        QuantityFormat.time(999),
                        QuantityFormat.time(23_400)))
                .containsExactly("0.05 µs", "12.3 µs", "999 µs", "23.4 ms");
        assertThat(QuantityFormat.time(1_234_567)).isEqualTo("1.23 s");
        assertThat(QuantityFormat.ratio(12_345)).isEqualTo("12,345×");
    }

    @Test
    void results_twoFiles_laterFileWins() throws IOException {
        search("xmem", 1000, 2, 3);
        write("a.json");
        results.clear();
        search("xmem", 1000, 5, 6);
        write("b.json");
        assertThat(Results.read(folder).get(ABSENT, "xmem", 1000).orElseThrow().p50())
                .isEqualTo(5);
        assertThat(Results.read(folder).engines(ABSENT)).containsExactly("xmem");
    }

    @Test
    void main_existingPage_replacesTextBetweenMarkers() throws IOException {
        search("xmem", 1000, 2, 3);
        search("xmem", 10_000, 2, 3);
        write("a.json");
        Path page = folder.resolve("BENCHMARKS.md");
        Files.writeString(page, "before\n" + Figures.BEGIN + "\nOUTDATED\n" + Figures.END + "\nafter\n");
        String[] args = {
            folder.toString(), folder.toString(), folder.resolve("datasets").toString()
        };
        Figures.main(args);
        String once = Files.readString(page);
        Figures.main(args);
        assertThat(Files.readString(page)).isEqualTo(once);
        assertThat(once)
                .startsWith("before\n" + Figures.BEGIN)
                .endsWith(Figures.END + "\nafter\n")
                .doesNotContain("OUTDATED")
                .contains("### Literal, absent", "cost-against-size.svg");
        assertThat(folder.resolve("cost-against-size.svg")).exists();
        assertThat(Figures.wrap("x".repeat(60) + " " + "y".repeat(60)).lines())
                .containsExactly("x".repeat(60), "y".repeat(60));
        assertThatThrownBy(() -> Figures.replaceFigures("no marks", "")).isInstanceOf(IllegalArgumentException.class);
    }

    private void search(String engine, int entries, double p50, double mean) {
        Map<String, String> params =
                Map.of("engine", engine, "entries", String.valueOf(entries), "query", "LITERAL_ABSENT");
        result("SearchBenchmark.search", params, "us/op", p50, mean);
    }

    private void open(String engine, String archive, double millis) {
        Map<String, String> params = Map.of("engine", engine, "entries", "1000", "archive", archive);
        result("OpenTime.open", params, "ms/op", millis, millis);
    }

    private void result(String benchmark, Map<String, String> params, String unit, double p50, double mean) {
        List<String> given = params.entrySet().stream()
                .map(param -> "\"" + param.getKey() + "\":\"" + param.getValue() + "\"")
                .toList();
        results.add(String.format(
                Locale.ROOT,
                "{\"benchmark\":\"dev.xmem.benchmarks.%s\",\"params\":{%s},\"primaryMetric\":{\"score\":%f,\"scoreError\":"
                        + "\"NaN\",\"scorePercentiles\":{\"50.0\":%f,\"99.0\":%f},\"scoreUnit\":\"%s\"}}",
                benchmark,
                String.join(",", given),
                mean,
                p50,
                2 * p50,
                unit));
    }

    private Results read() throws IOException {
        write("results.json");
        return Results.read(folder);
    }

    private void write(String name) throws IOException {
        Files.writeString(folder.resolve(name), "[" + String.join(",", results) + "]");
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static double[][] points(Node line) {
        String[] points = ((Element) line).getAttribute("points").split(" ");
        double[][] numbers = new double[points.length][2];
        for (int i = 0; i < points.length; i++) {
            String[] xy = points[i].split(",");
            numbers[i] = new double[] {Double.parseDouble(xy[0]), Double.parseDouble(xy[1])};
        }
        return numbers;
    }
}

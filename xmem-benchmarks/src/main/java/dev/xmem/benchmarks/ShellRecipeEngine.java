package dev.xmem.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The shell recipe for {@code memory_search} of the X-MEM protocol: {@code tail} a window of 50,000 lines, {@code
 * rg}, parse with {@code jq}, newest first. While there are too few matches it multiplies the window by four, up to a
 * million lines.
 */
final class ShellRecipeEngine implements Engine {
    private static final String SCRIPT = """
            log=$1 how=$2 text=$3 limit=$4
            lines=$(wc -l < "$log")
            window=50000
            while :; do
              found=$(tail -n "$window" "$log" | rg "$how" -e "$text" | jq -c . | tail -n "$limit" | tac)
              count=$(printf %s "${found:+$found
            }" | wc -l)
              if [ "$count" -ge "$limit" ] || [ "$window" -ge "$lines" ] || [ "$window" -ge 1000000 ]; then break; fi
              window=$((window * 4 < 1000000 ? window * 4 : 1000000))
            done
            printf '%s\\n' "$found"
            """;

    @Override
    public String name() {
        return "recipe";
    }

    @Override
    public String formatName() {
        return "log";
    }

    @Override
    public Set<QueryType> supportedTypes() {
        EnumSet<QueryType> types = EnumSet.allOf(QueryType.class);
        types.removeIf(type -> type.kind() == QueryType.Kind.HASH || !type.exact());
        return types;
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        new ProcessEngine("ripgrep", "rg").fill(folder, dataset);
    }

    @Override
    public Searcher open(Path folder) throws IOException {
        for (String program : List.of("bash", "tail", "rg", "jq", "tac")) {
            ProcessEngine.check(program);
        }
        return new Open(ProcessEngine.log(folder).toString());
    }

    private static final class Open implements Searcher {
        private final String log;
        private final LineParser parser = new LineParser();

        Open(String log) {
            this.log = log;
        }

        @Override
        public List<String> ids(TestQuery query) throws IOException {
            String how = query.type().kind() == QueryType.Kind.LITERAL ? "-F" : "--no-config";
            String limit = String.valueOf(query.type().limit());
            Process process = new ProcessBuilder("bash", "-c", SCRIPT, "recipe", log, how, query.text(), limit)
                    .redirectError(Redirect.DISCARD)
                    .start();
            List<String> lines = new ArrayList<>();
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (!line.isEmpty()) {
                        lines.add(line);
                    }
                }
            }
            return ProcessEngine.ids(lines, parser);
        }

        @Override
        public void close() {}
    }
}

package dev.xmem.benchmarks;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A command-line program that searches one log file in time order. If the newest entries suffice, it searches from
 * the end ({@code tac log | rg -m 20}), otherwise from the beginning ({@code rg log | tail -n 20}): the faster way
 * for each query type. The figures include process startup, which {@link SearchStartBenchmark} measures alone.
 */
final class ProcessEngine implements Engine {
    private final String name;
    private final String program;

    /**
     * @param program ripgrep, or grep with the same options
     */
    ProcessEngine(String name, String program) {
        this.name = name;
        this.program = program;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() throws IOException {
        return run(List.of(program, "--version"), List.of("head", "-n", "1")).get(0);
    }

    @Override
    public String formatName() {
        return "log";
    }

    @Override
    public Set<QueryType> supportedTypes() {
        EnumSet<QueryType> types = EnumSet.allOf(QueryType.class);
        types.removeIf(type -> !type.exact());
        return types;
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(log(folder)), 1 << 20)) {
            dataset.forEachChunk(chunk -> {
                for (StoredEntry stored : chunk) {
                    out.write((stored.line() + "\n").getBytes(StandardCharsets.UTF_8));
                }
            });
        }
        Files.createFile(folder.resolve("empty"));
    }

    static Path log(Path folder) {
        return folder.resolve("log.ndjson");
    }

    @Override
    public Searcher open(Path folder) throws IOException {
        check(program);
        return new Open(log(folder).toString());
    }

    /** Opens the engine on an empty file. */
    Searcher openEmpty(Path folder) throws IOException {
        check(program);
        return new Open(folder.resolve("empty").toString());
    }

    /** Fails with a helpful message if a program is not installed. */
    static void check(String program) throws IOException {
        try {
            Process process = new ProcessBuilder(program, "--version")
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            process.waitFor();
        } catch (IOException e) {
            throw new IOException(
                    program + " is not on the PATH. Install it, or leave it out with"
                            + " -p engine=xmem,sqlite. -p engine=grep uses grep in place of ripgrep.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Open implements Searcher {
        private final String log;
        private final LineParser parser = new LineParser();

        Open(String log) {
            this.log = log;
        }

        @Override
        public List<String> ids(TestQuery query) throws IOException {
            String limit = String.valueOf(query.type().limit());
            boolean fromEnd = query.type().newestSuffice();
            List<String> lines = fromEnd
                    ? run(List.of("tac", log), search(query, "-m", limit))
                    : run(search(query, log), List.of("tail", "-n", limit));
            if (!fromEnd) {
                Collections.reverse(lines);
            }
            return ProcessEngine.ids(lines, parser);
        }

        private List<String> search(TestQuery query, String... more) {
            List<String> command = new ArrayList<>(List.of(program));
            boolean regex = query.type().kind() == QueryType.Kind.REGEX;
            command.add(!regex ? "-F" : program.equals("grep") ? "-E" : "--no-config");
            command.addAll(List.of("-e", pattern(query)));
            command.addAll(List.of(more));
            return command;
        }

        @Override
        public void close() {}
    }

    /** Returns the text to search for in the JSON line. */
    private static String pattern(TestQuery query) {
        return query.type().kind() == QueryType.Kind.HASH ? "\"ctx_hash\":\"" + query.text() + "\"" : query.text();
    }

    private static List<String> run(List<String> first, List<String> second) throws IOException {
        List<Process> processes = ProcessBuilder.startPipeline(List.of(builder(first), builder(second)));
        List<String> lines = new ArrayList<>();
        try (BufferedReader out = processes.get(1).inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** Compares bytes in place of characters: the fastest setting, with the same answers. */
    private static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** Returns the ids of the lines. Parses every field. */
    static List<String> ids(List<String> lines, LineParser parser) throws IOException {
        List<String> ids = new ArrayList<>(lines.size());
        for (String line : lines) {
            Map<String, Object> fields = parser.fields(line.getBytes(StandardCharsets.UTF_8));
            ids.add((String) fields.getOrDefault("id", ""));
        }
        return ids;
    }
}

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
 * A program that searches a log, all entries in one file in the order of time. What many entries have is searched for from
 * the end, {@code tac log | rg -m 20}, everything else from the beginning, {@code rg log | tail -n 20}: the faster way each
 * time, as if it were known beforehand. Starting the programs is part of it; {@link SearchStartBenchmark} says how much.
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

    /** The same programs, with nothing to read. */
    Searcher openEmpty(Path folder) throws IOException {
        check(program);
        return new Open(folder.resolve("empty").toString());
    }

    /** Fails with a sentence where a program is not there. */
    static void check(String program) throws IOException {
        try {
            Process process = new ProcessBuilder(program, "--version")
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            process.waitFor();
        } catch (IOException e) {
            throw new IOException(
                    "there is no " + program + " on the PATH. Install it, or leave it out with"
                            + " -p engine=xmem,sqlite; -p engine=grep types grep instead.",
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

    /** What is looked for in the line, which is JSON. */
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

    /** Bytes, not characters: the fastest setting, with the same answers. */
    private static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** The ids of lines, every field parsed. */
    static List<String> ids(List<String> lines, LineParser parser) throws IOException {
        List<String> ids = new ArrayList<>(lines.size());
        for (String line : lines) {
            Map<String, Object> fields = parser.fields(line.getBytes(StandardCharsets.UTF_8));
            ids.add((String) fields.getOrDefault("id", ""));
        }
        return ids;
    }
}

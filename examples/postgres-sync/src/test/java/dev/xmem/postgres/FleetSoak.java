package dev.xmem.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fleet of agents in several processes on one server, which is then stopped for a while. Prints how many lessons were
 * told, what the guard and the server needed, and what arrived after the outage. System properties, with defaults:
 * {@code fleet.agents} 1000, {@code fleet.processes} 4, {@code fleet.seconds} 180, {@code fleet.outage} 60, {@code
 * fleet.rate} 10 failures a minute, {@code fleet.families} 5000, {@code fleet.guardMillis} 50.
 */
@Tag("soak")
class FleetSoak {
    private static final String SCHEMA = "fleet";

    @TempDir
    Path folder;

    /** A process with agents. */
    private record Agents(Process process, BufferedReader out, Told told) {
        /** Reads to a line that begins with a word, keeps calls and lessons, and prints the other lines. */
        String await(String word) throws IOException {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(word)) {
                    return line;
                }
                if (!told.add(line)) {
                    System.out.println(line);
                }
            }
            throw new IOException("a process with agents ended early");
        }

        void go() throws IOException {
            process.outputWriter(StandardCharsets.UTF_8).write("go\n");
            process.outputWriter(StandardCharsets.UTF_8).flush();
        }
    }

    private static Agents start(String url, int agents, int seed, Path stores, Told told) throws IOException {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        String options = System.getProperty("fleet.jvm", "");
        command.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
        command.addAll(List.of(
                "-cp",
                classes,
                FleetSimulation.class.getName(),
                url,
                SCHEMA,
                String.valueOf(agents),
                System.getProperty("fleet.seconds", "180"),
                System.getProperty("fleet.rate", "10"),
                System.getProperty("fleet.families", "5000"),
                String.valueOf(seed),
                System.getProperty("fleet.outage", "60"),
                System.getProperty("fleet.guardMillis", "50"),
                stores.resolve("agents-" + seed).toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new Agents(process, process.inputReader(StandardCharsets.UTF_8), told);
    }

    private static long number(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static long transactions(String url) throws SQLException {
        return number(url, "select xact_commit + xact_rollback from pg_stat_database where datname = 'postgres'");
    }

    private static long written(String url) throws SQLException {
        return number(url, "select pg_current_wal_lsn() - '0/0'::pg_lsn");
    }

    /** When the transaction that added each family was committed, in microseconds since 1970, by the family's key. */
    private static Map<Long, Long> committed(String url) throws SQLException {
        Map<Long, Long> committed = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(
                        "select key, (extract(epoch from pg_xact_commit_timestamp(first::xid)) * 1000000)"
                                + "::bigint from " + SCHEMA + ".family")) {
            while (row.next()) {
                committed.put(row.getLong(1), row.getLong(2));
            }
        }
        return committed;
    }

    /** The processor time of the server's processes that serve the open connections, where the system tells it. */
    private static double processorSeconds(String url) throws SQLException {
        double seconds = 0;
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("select pid from pg_stat_activity where pid != pg_backend_pid()")) {
            while (row.next()) {
                seconds += ProcessHandle.of(row.getLong(1))
                        .flatMap(process -> process.info().totalCpuDuration())
                        .map(time -> time.toNanos() / 1e9)
                        .orElse(0.0);
            }
        }
        return seconds;
    }

    /** The calls and lessons of all processes. */
    private static final class Told {
        private final List<FleetSimulation.Call> calls = new ArrayList<>();
        private final List<FleetSimulation.Lesson> lessons = new ArrayList<>();

        /** Reads a line of a process; false if it is no call and no lesson. */
        boolean add(String line) {
            String[] part = line.split(" ");
            if (part[0].equals("call")) {
                calls.add(new FleetSimulation.Call(
                        Long.parseLong(part[1]),
                        Integer.parseInt(part[2]),
                        Integer.parseInt(part[3]),
                        Boolean.parseBoolean(part[4]),
                        Boolean.parseBoolean(part[5]),
                        Boolean.parseBoolean(part[6]),
                        Boolean.parseBoolean(part[7]),
                        Long.parseLong(part[8])));
                return true;
            }
            if (part[0].equals("lesson")) {
                lessons.add(new FleetSimulation.Lesson(
                        Long.parseLong(part[1]),
                        Integer.parseInt(part[2]),
                        Integer.parseInt(part[3]),
                        Long.parseLong(part[4])));
                return true;
            }
            return false;
        }

        /**
         * How many first sights were told: of families whose publication the server had committed when the agent asked,
         * and of families of which another agent had a lesson in its own log at that time, published or not.
         *
         * @param committed when each family was committed, by its key
         */
        String report(Map<Long, Long> committed) {
            Map<Integer, List<FleetSimulation.Lesson>> byFamily =
                    lessons.stream().collect(Collectors.groupingBy(FleetSimulation.Lesson::family));
            List<FleetSimulation.Call> published = new ArrayList<>();
            List<FleetSimulation.Call> recorded = new ArrayList<>();
            for (FleetSimulation.Call call : calls) {
                List<FleetSimulation.Lesson> known = byFamily.getOrDefault(call.family(), List.of());
                if (!call.first() || known.isEmpty()) {
                    continue;
                }
                if (committed.getOrDefault(known.get(0).key(), Long.MAX_VALUE) < call.at()) {
                    published.add(call);
                }
                if (known.stream().anyMatch(each -> each.at() < call.at() && each.agent() != call.agent())) {
                    recorded.add(call);
                }
            }
            long[] took = calls.stream()
                    .filter(FleetSimulation.Call::begun)
                    .mapToLong(FleetSimulation.Call::took)
                    .sorted()
                    .toArray();
            return String.format(
                    Locale.ROOT,
                    "fleet: %d failures; first sights told: %s of published families, %s of recorded ones;"
                            + " guard after an agent's first call: p50 %.1f ms, p99 %.1f ms; %d of %d answers unavailable,"
                            + " %d of them at first calls",
                    calls.size(),
                    share(published),
                    share(recorded),
                    took[took.length / 2] / 1e3,
                    took[(int) (took.length * 0.99)] / 1e3,
                    calls.stream().filter(FleetSimulation.Call::unavailable).count(),
                    calls.size(),
                    calls.stream()
                            .filter(call -> call.unavailable() && !call.begun())
                            .count());
        }

        private static String share(List<FleetSimulation.Call> sights) {
            long told = sights.stream().filter(FleetSimulation.Call::told).count();
            return String.format(Locale.ROOT, "%d of %d (%.2f %%)", told, sights.size(), 100.0 * told / sights.size());
        }
    }

    /** The stores of all agents in memory, if there is such a folder: they would be on 1,000 disks, and not on one. */
    private static Path stores() throws IOException {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "xmem-fleet")
                : Files.createTempDirectory("xmem-fleet");
    }

    private EmbeddedPostgres server(Path data, int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("synchronous_commit", "off")
                .setServerConfig("track_commit_timestamp", "on");
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    @Test
    void agents_onOneServer_areToldAndLoseNothing() throws Exception {
        int seconds = Integer.getInteger("fleet.seconds", 180);
        int processes = Integer.getInteger("fleet.processes", 4);
        Path data = Files.createDirectory(folder.resolve("server"));
        EmbeddedPostgres server = server(data, 0);
        String url = server.getJdbcUrl("postgres", "postgres").replaceAll("\\?.*", "");
        String login = url + "?user=postgres&password=postgres";
        List<Agents> all = new ArrayList<>();
        Told told = new Told();
        Path stores = stores();
        try {
            try (PostgresSharedMemory owner = PostgresSyncBackend.of(url)
                    .credentials("postgres", "postgres")
                    .schema(SCHEMA)
                    .sharedMemory(1, Duration.ofSeconds(1))) {
                owner.migrate();
            }
            for (int i = 0; i < processes; i++) {
                all.add(start(url, Integer.getInteger("fleet.agents", 1000) / processes, i + 1, stores, told));
            }
            await(all);
            long transactions = transactions(login);
            long written = written(login);
            go(all);
            await(all);
            System.out.printf(
                    Locale.ROOT,
                    "fleet: the server: %.0f transactions a second, %.1f GB a day written to its log, %.1f MB of data,"
                            + " %.1f s of processor time of its connections%n",
                    (transactions(login) - transactions) / (double) seconds,
                    (written(login) - written) * 86_400.0 / seconds / 1e9,
                    number(login, "select pg_database_size('postgres')") / 1e6,
                    processorSeconds(login));
            System.out.println(told.report(committed(login)));
            server.close();
            go(all);
            await(all);
            server = server(data, server.getPort());
            go(all);
            long recorded = 0;
            for (Agents agents : all) {
                String[] parts = agents.await("recorded").split(" ");
                recorded += Long.parseLong(parts[1]);
                assertThat(parts[2]).as("not published").isEqualTo("0");
            }
            try (Connection connection = DriverManager.getConnection(login)) {
                assertThat(SharedMemoryTest.published(connection, SCHEMA)).isEqualTo(recorded);
            }
            System.out.println("fleet: after the outage all " + recorded + " entries are in the database, each once");
        } finally {
            for (Agents agents : all) {
                agents.process.destroy();
                agents.process.waitFor();
            }
            server.close();
            try (Stream<Path> files = Files.walk(stores)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static void await(List<Agents> all) throws IOException {
        for (Agents agents : all) {
            agents.await("ready");
        }
    }

    private static void go(List<Agents> all) throws IOException {
        for (Agents agents : all) {
            agents.go();
        }
    }
}

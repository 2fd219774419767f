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
import java.util.List;
import java.util.Locale;
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
    private record Agents(Process process, BufferedReader out) {
        /** Reads to a line that begins with a word, and prints the others. */
        String await(String word) throws IOException {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(word)) {
                    return line;
                }
                System.out.println(line);
            }
            throw new IOException("a process with agents ended early");
        }

        void go() throws IOException {
            process.outputWriter(StandardCharsets.UTF_8).write("go\n");
            process.outputWriter(StandardCharsets.UTF_8).flush();
        }
    }

    private static Agents start(String url, int agents, int seed, Path stores) throws IOException {
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
        return new Agents(process, process.inputReader(StandardCharsets.UTF_8));
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
                .setServerConfig("synchronous_commit", "off");
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
        Path stores = stores();
        try {
            try (PostgresSharedMemory owner = PostgresSyncBackend.of(url)
                    .credentials("postgres", "postgres")
                    .schema(SCHEMA)
                    .sharedMemory(1, Duration.ofSeconds(1))) {
                owner.migrate();
            }
            for (int i = 0; i < processes; i++) {
                all.add(start(url, Integer.getInteger("fleet.agents", 1000) / processes, i + 1, stores));
            }
            await(all);
            long transactions = transactions(login);
            long written = written(login);
            go(all);
            await(all);
            System.out.printf(
                    Locale.ROOT,
                    "fleet: the server: %.0f transactions a second, %.1f GB a day written to its log, %.1f MB of data%n",
                    (transactions(login) - transactions) / (double) seconds,
                    (written(login) - written) * 86_400.0 / seconds / 1e9,
                    number(login, "select pg_database_size('postgres')") / 1e6);
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

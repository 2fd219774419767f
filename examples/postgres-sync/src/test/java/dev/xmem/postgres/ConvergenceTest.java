package dev.xmem.postgres;

import dev.xmem.core.XMem;
import dev.xmem.testing.SyncConvergence;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Convergence of several stores through PostgreSQL. */
class ConvergenceTest {
    private final String schema = Server.schema();

    @TempDir
    Path folder;

    private void converge(int replicas, int entries, long seed) throws Exception {
        try (SyncConvergence stores = new SyncConvergence(
                folder,
                machine -> XMem.builder(machine.folder())
                        .clock(machine)
                        .random(machine.random())
                        .syncInterval(Duration.ofDays(1))
                        .sync(machine.through(Server.backend(schema)))
                        .open(),
                replicas,
                seed)) {
            stores.run(entries);
            stores.assertConverged();
            stores.assertErased(everything());
            System.out.printf(
                    "reliability: convergence, PostgreSQL, %d replicas of %d entries: %d rounds, %d compactions,"
                            + " %d entries erased%n",
                    replicas, entries, stores.rounds(), stores.compactions(), stores.erased());
        }
    }

    private String everything() throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("select bytes from piece")) {
            while (row.next()) {
                text.append(new String(row.getBytes(1), StandardCharsets.UTF_8));
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource({"2, 60, 1", "4, 20, 2", "8, 8, 3"})
    void postgres_anyOrder_converges(int replicas, int entries, long seed) throws Exception {
        converge(replicas, entries, seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"2, 300, 31", "4, 200, 32", "8, 100, 33", "16, 60, 34"})
    void postgres_anyOrderAndMany_converges(int replicas, int entries, long seed) throws Exception {
        converge(replicas, entries, seed);
    }
}

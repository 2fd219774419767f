package dev.xmem.springboot;

import dev.xmem.Durability;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code xmem.*}.
 *
 * @param enabled Whether to open a store at all.
 * @param directory The folder of the store; it is created if there is none.
 * @param inMemory Whether to keep the store in memory only. Its entries are gone when the application ends.
 * @param readOnly Whether to open the store for reading only.
 * @param privateStore Whether to mark the store as private for good: nothing ever leaves it.
 * @param durability What an acknowledged entry survives: an end of the process, or of the operating system.
 * @param tokenBudget The largest page in tokens; the default of the library if not set.
 * @param rejectSecrets Whether to refuse entries with secrets instead of redacting them.
 * @param discoverPlugins Whether to use a hasher and a token estimator that the class path announces as a service.
 * @param sharedSessions Whether several processes on the folder see the same sessions.
 * @param userDirectory The folder of the user's own store, which is asked too; none if not set.
 * @param guardLimit How long a guarded call waits for advice.
 * @param lockTimeout How long a write waits for another process.
 * @param shutdownLimit How long the shutdown waits for what is not written yet.
 * @param chatClient The advisor of Spring AI's chat clients.
 * @param sync Where entries are exchanged with other stores.
 * @param page The page in the browser; needs xmem-page.
 */
@ConfigurationProperties("xmem")
public record XMemProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue(".xmem-store") Path directory,
        @DefaultValue("false") boolean inMemory,
        @DefaultValue("false") boolean readOnly,
        @DefaultValue("false") boolean privateStore,
        @DefaultValue("os") Durability durability,
        @Nullable Integer tokenBudget,
        @DefaultValue("false") boolean rejectSecrets,
        @DefaultValue("true") boolean discoverPlugins,
        @DefaultValue("false") boolean sharedSessions,
        @Nullable Path userDirectory,
        @DefaultValue("50ms") Duration guardLimit,
        @DefaultValue("250ms") Duration lockTimeout,
        @DefaultValue("5s") Duration shutdownLimit,
        @DefaultValue ChatClient chatClient,
        @DefaultValue Sync sync,
        @DefaultValue Page page) {

    /**
     * The properties {@code xmem.page.*}.
     *
     * @param enabled Whether to serve the page on the loopback interface.
     * @param port The port of the page; 0 for any free one.
     * @param origin The origin of a proxy with TLS in front of the page, such as https://memory.example.org.
     * @param readOnly Whether the page refuses to change anything.
     * @param token The secret that a browser has to enter, of 16 characters or more; a random one if not set.
     */
    public record Page(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("0") int port,
            @Nullable URI origin,
            @DefaultValue("false") boolean readOnly,
            @Nullable String token) {}

    /**
     * The properties {@code xmem.chat-client.*}.
     *
     * @param enabled Whether every chat client gets the advisor.
     * @param stopAfter After how many unchanged failures of a call its turn ends; 0 for never.
     */
    public record ChatClient(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("0") int stopAfter) {}

    /**
     * The properties {@code xmem.sync.*}. A bean of the type SyncBackend replaces them.
     *
     * @param type The kind of the backend.
     * @param folder The shared folder.
     * @param interval How often the entries of other stores are imported.
     * @param peerTrust The factor of the scores of other stores' entries, from 0 to 1.
     * @param git The git repository.
     * @param postgres The PostgreSQL database.
     */
    public record Sync(
            @DefaultValue("none") Type type,
            @Nullable Path folder,
            @DefaultValue("3s") Duration interval,
            @DefaultValue("0.9") double peerTrust,
            @DefaultValue Git git,
            @DefaultValue Postgres postgres) {
        /** The kind of a backend. */
        public enum Type {
            /** No exchange. */
            NONE,
            /** A folder that others see too. */
            FOLDER,
            /** A git repository; needs xmem-git. */
            GIT,
            /** A PostgreSQL database; needs xmem-postgres-sync. */
            POSTGRES
        }

        /**
         * The properties {@code xmem.sync.git.*}.
         *
         * @param remote The URL of the repository.
         * @param user The name for the token; none for most services.
         * @param token The token or password.
         */
        public record Git(
                @Nullable String remote,
                @Nullable String user,
                @Nullable String token) {}

        /**
         * The properties {@code xmem.sync.postgres.*}.
         *
         * @param url The JDBC URL of the database.
         * @param user The user of the database.
         * @param password The password of the user.
         * @param schema The schema of the tables; the default of the backend if not set.
         */
        public record Postgres(
                @Nullable String url,
                @Nullable String user,
                @Nullable String password,
                @Nullable String schema) {}
    }
}

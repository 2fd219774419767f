package dev.xmem.springboot;

import dev.xmem.GuardListener;
import dev.xmem.Layer;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.XMem;
import dev.xmem.git.GitSyncBackend;
import dev.xmem.postgres.PostgresSyncBackend;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.Redactor;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.TokenEstimator;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Opens a store by the properties {@code xmem.*}. A bean of the type {@link ContextHasher}, {@link TokenEstimator},
 * {@link Redactor}, {@link Embedder} or {@link SyncBackend} is used by the store, every {@link GuardListener} listens
 * to its guard, and a bean of the type {@link XMemStore} replaces it. The store is flushed and closed at the end. Of
 * several stores the primary one is flushed, measured, shown by the actuator and given to chat clients; without one,
 * none is.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnProperty(prefix = "xmem", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(XMemProperties.class)
public class XMemAutoConfiguration {
    /** The store of the application. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    XMemStore xmemStore(
            XMemProperties properties,
            ObjectProvider<ContextHasher> hasher,
            ObjectProvider<TokenEstimator> tokens,
            ObjectProvider<Redactor> redactor,
            ObjectProvider<Embedder> embedder,
            ObjectProvider<SyncBackend> sync,
            ObjectProvider<GuardListener> listeners,
            ObjectProvider<XMemBuilderCustomizer> customizers) {
        XMem.Builder builder = properties.inMemory() ? XMem.inMemoryBuilder() : XMem.builder(properties.directory());
        builder.durability(properties.durability());
        set("xmem.guard-limit", properties.guardLimit(), builder::guardLimit);
        set("xmem.lock-timeout", properties.lockTimeout(), builder::lockTimeout);
        if (properties.tokenBudget() != null) {
            set("xmem.token-budget", properties.tokenBudget(), builder::tokenBudget);
        }
        if (properties.readOnly()) {
            builder.readOnly();
        }
        if (properties.privateStore()) {
            builder.privateStore();
        }
        if (properties.rejectSecrets()) {
            builder.rejectSecrets();
        }
        if (properties.sharedSessions()) {
            builder.sharedSessions();
        }
        if (properties.discoverPlugins()) {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            builder.discover(loader == null ? XMemAutoConfiguration.class.getClassLoader() : loader);
        }
        if (properties.userDirectory() != null) {
            builder.alsoAsk(Layer.USER, XMem.builder(properties.userDirectory()));
        }
        hasher.ifAvailable(builder::hasher);
        tokens.ifAvailable(builder::tokens);
        redactor.ifAvailable(builder::redactor);
        embedder.ifAvailable(builder::embedder);
        SyncBackend backend = sync.getIfAvailable();
        XMemProperties.Sync.Type type = properties.sync().type();
        if (backend != null) {
            builder.sync(backend);
            set("xmem.sync.interval", properties.sync().interval(), builder::syncInterval);
            set("xmem.sync.peer-trust", properties.sync().peerTrust(), builder::peerTrust);
        } else if (type != XMemProperties.Sync.Type.NONE) {
            String module = type == XMemProperties.Sync.Type.GIT ? "xmem-git" : "xmem-postgres-sync";
            throw new InvalidConfigurationPropertyValueException(
                    "xmem.sync.type", type, "it needs the dependency dev.xmem:" + module);
        }
        listeners.orderedStream().forEach(builder::guardListener);
        customizers.orderedStream().forEach(each -> each.customize(builder));
        return properties.inMemory()
                ? builder.open()
                : checked("xmem.directory", properties.directory(), builder::open);
    }

    /** Sets an option. A value that the library refuses is reported under the name of its property. */
    private static <T> void set(String name, T value, Consumer<T> option) {
        checked(name, value, () -> {
            option.accept(value);
            return name;
        });
    }

    /** Makes something of a value. One that is refused is reported under the name of its property. */
    static <T> T checked(String name, @Nullable Object value, Supplier<T> use) {
        try {
            return use.get();
        } catch (IllegalArgumentException | XMemException e) {
            String why = String.valueOf(e.getMessage());
            if (why.contains("password") || name.endsWith("token")) {
                // Spring Boot would print the value.
                throw new IllegalStateException("The value of " + name + " is refused: " + why);
            }
            throw new InvalidConfigurationPropertyValueException(name, value, why);
        }
    }

    /** Writes what waits, after the web server has ended its requests and before the store is closed. */
    @Bean
    @ConditionalOnSingleCandidate(XMemStore.class)
    XMemLifecycle xmemLifecycle(XMemStore store, XMemProperties properties) {
        return new XMemLifecycle(store, properties.shutdownLimit());
    }

    private static String required(@Nullable String value, String name) {
        if (value == null || value.isBlank()) {
            throw new InvalidConfigurationPropertyValueException(
                    name, value, "it is needed by the value of xmem.sync.type");
        }
        return value;
    }

    /** A shared folder. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = "xmem.sync", name = "type", havingValue = "folder")
    static class Folder {
        @Bean(destroyMethod = "")
        @ConditionalOnMissingBean
        SyncBackend xmemFolderSync(XMemProperties properties) {
            if (properties.sync().folder() == null) {
                required(null, "xmem.sync.folder");
            }
            Path folder = properties.sync().folder();
            return checked("xmem.sync.folder", folder, () -> DirectoryBackend.at(folder));
        }
    }

    /** A git repository. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(GitSyncBackend.class)
    @ConditionalOnProperty(prefix = "xmem.sync", name = "type", havingValue = "git")
    static class Git {
        @Bean(destroyMethod = "")
        @ConditionalOnMissingBean
        SyncBackend xmemGitSync(XMemProperties properties) {
            XMemProperties.Sync.Git git = properties.sync().git();
            String remote = required(git.remote(), "xmem.sync.git.remote");
            GitSyncBackend.Builder builder =
                    checked("xmem.sync.git.remote", remote, () -> GitSyncBackend.of(properties.directory(), remote));
            if (git.token() != null) {
                builder.credentials(git.user(), git.token());
            }
            return builder.build();
        }
    }

    /** A PostgreSQL database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PostgresSyncBackend.class)
    @ConditionalOnProperty(prefix = "xmem.sync", name = "type", havingValue = "postgres")
    static class Postgres {
        @Bean(destroyMethod = "")
        @ConditionalOnMissingBean
        SyncBackend xmemPostgresSync(XMemProperties properties) {
            XMemProperties.Sync.Postgres database = properties.sync().postgres();
            String url = required(database.url(), "xmem.sync.postgres.url");
            PostgresSyncBackend.Builder builder =
                    checked("xmem.sync.postgres.url", url, () -> PostgresSyncBackend.of(url));
            if (database.user() != null) {
                builder.credentials(database.user(), database.password());
            }
            if (database.schema() != null) {
                set("xmem.sync.postgres.schema", database.schema(), builder::schema);
            }
            return builder.build();
        }
    }
}

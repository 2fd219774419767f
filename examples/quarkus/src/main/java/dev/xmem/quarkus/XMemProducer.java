package dev.xmem.quarkus;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.langchain4j.XMemAgent;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Opens a store in the folder {@code xmem.directory}, by default {@code .xmem-store}, and closes it with the
 * application. A bean of the application with the type of a store, or of an {@link XMemAgent}, replaces it.
 *
 * @since 0.1
 */
@Singleton
public class XMemProducer {
    @Produces
    @Singleton
    @DefaultBean
    XMemStore store(@ConfigProperty(name = "xmem.directory", defaultValue = ".xmem-store") String directory) {
        return XMem.open(Path.of(directory));
    }

    void close(@Disposes XMemStore store) {
        store.close();
    }

    @Produces
    @Singleton
    @DefaultBean
    XMemAgent agent(XMemStore store, @ConfigProperty(name = "xmem.stop-after", defaultValue = "0") int stopAfter) {
        return XMemAgent.with(store).stopAfter(stopAfter);
    }
}

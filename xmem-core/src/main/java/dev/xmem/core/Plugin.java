package dev.xmem.core;

import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Chooses the implementation of a service. Stateless. */
final class Plugin {
    private Plugin() {}

    /**
     * The given implementation, else the only provider of the class loader, else the built-in one.
     *
     * @throws IllegalArgumentException if there are several providers
     */
    static <T> T chosen(Class<T> service, @Nullable T given, @Nullable ClassLoader plugins, T builtIn) {
        if (given != null || plugins == null) {
            return given == null ? builtIn : given;
        }
        List<T> providers = ServiceLoader.load(service, plugins).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        if (providers.size() > 1) {
            throw new IllegalArgumentException("there is more than one " + service.getSimpleName() + ": "
                    + providers.stream()
                            .map(provider -> provider.getClass().getName())
                            .toList()
                    + ". Give the builder the one to use.");
        }
        return providers.isEmpty() ? builtIn : providers.get(0);
    }
}

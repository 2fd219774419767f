package dev.xmem.core;

import dev.xmem.core.text.hash.Excerpt;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.HashInput;
import dev.xmem.spi.PluginException;
import dev.xmem.spi.Redactor;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the plug-ins of a store, and wraps them so that a result which their interface forbids ends in
 * {@link PluginException}, at every call. A null is checked here because the code of a plug-in is compiled without
 * null analysis.
 */
final class CheckedPlugins {
    private static final String ID = "a name of one line";

    /** The last time that a clock can give, the beginning of 9999; days with room for ids follow. */
    private static final Instant LATEST = Instant.ofEpochSecond(253_370_764_800L);

    private CheckedPlugins() {}

    /** The clock with its times bounded to those that ids and lines can hold, 1970 to 9998. */
    static InstantSource clock(InstantSource given) {
        return new InstantSource() {
            @Override
            public Instant instant() {
                Instant now = given.instant();
                return now.isBefore(Instant.EPOCH) ? Instant.EPOCH : now.isAfter(LATEST) ? LATEST : now;
            }
        };
    }

    /** The value; throws if a plug-in returned null or an invalid one. */
    private static <T> T checked(Object plugin, String method, @Nullable T value, boolean valid, String must) {
        if (value == null || !valid) {
            throw failed(plugin, method, must, value);
        }
        return value;
    }

    private static PluginException failed(Object plugin, String method, String must, @Nullable Object returned) {
        String id = method.equals("id")
                ? ""
                : plugin instanceof Embedder embedder
                        ? embedder.id()
                        : plugin instanceof ContextHasher hasher
                                ? hasher.id()
                                : plugin instanceof TokenEstimator tokens ? tokens.id() : "";
        return new PluginException(plugin.getClass(), id == null ? "" : id, method, must, returned);
    }

    private static String id(Object plugin, @Nullable String id) {
        boolean valid = id != null && !id.isBlank() && isOneLine(id);
        return checked(plugin, "id", id, valid, ID);
    }

    /** Whether a text is one line, which may have its end. */
    private static boolean isOneLine(String text) {
        int end = 0;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return end + 1 >= text.length() || end + 2 == text.length() && text.startsWith("\r\n", end);
    }

    /** The given hasher, else one of the services of a class loader, else the built-in one. */
    static ContextHasher hasher(@Nullable ContextHasher given, @Nullable ClassLoader services, ContextHasher builtIn) {
        ContextHasher chosen = chosen(ContextHasher.class, given, services);
        return chosen == null ? new RememberedHashes(builtIn) : checked(chosen);
    }

    /** Whether a hasher of {@link #hasher} is not the built-in one: it may take any time. */
    static boolean isPlugin(ContextHasher hasher) {
        return !(hasher instanceof RememberedHashes);
    }

    /** A hasher that hashes the salient lines of an error only, as a store does. */
    static ContextHasher ofWholeErrors(ContextHasher hasher) {
        return new ContextHasher() {
            @Override
            public String id() {
                return hasher.id();
            }

            @Override
            public ContextHash hash(HashInput input) {
                Excerpt excerpt = Excerpt.of(input.tool(), input.action(), input.error());
                return excerpt.hash(hasher, input.error(excerpt.text(), input.exitCode()));
            }
        };
    }

    /** The given estimator, else one of the services of a class loader, else the heuristic. */
    static TokenEstimator tokens(@Nullable TokenEstimator given, @Nullable ClassLoader services) {
        TokenEstimator chosen = chosen(TokenEstimator.class, given, services);
        return chosen == null || chosen == TokenEstimator.heuristic() ? TokenEstimator.heuristic() : checked(chosen);
    }

    private static <T> @Nullable T chosen(Class<T> service, @Nullable T given, @Nullable ClassLoader services) {
        if (given != null || services == null) {
            return given;
        }
        List<T> providers = ServiceLoader.load(service, services).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        if (providers.size() > 1) {
            throw new IllegalArgumentException("there is more than one " + service.getSimpleName() + ": "
                    + providers.stream()
                            .map(provider -> provider.getClass().getName())
                            .toList()
                    + ". Give the builder the one to use.");
        }
        return providers.isEmpty() ? null : providers.get(0);
    }

    private static ContextHasher checked(ContextHasher hasher) {
        return new ContextHasher() {
            @Override
            public String id() {
                return CheckedPlugins.id(hasher, hasher.id());
            }

            @Override
            public ContextHash hash(HashInput input) {
                return checked(hasher, "hash", hasher.hash(input), true, "a ContextHash");
            }
        };
    }

    private static TokenEstimator checked(TokenEstimator tokens) {
        return new TokenEstimator() {
            @Override
            public String id() {
                return CheckedPlugins.id(tokens, tokens.id());
            }

            @Override
            public int estimate(CharSequence text) {
                int count = tokens.estimate(text);
                return checked(tokens, "estimate", count, count >= 0, "0 or a positive number");
            }
        };
    }

    /** The redactor, checked; null if there is none. */
    static @Nullable Redactor redactor(@Nullable Redactor redactor) {
        return redactor == null ? null : text -> checked(redactor, "redact", redactor.redact(text), true, "a text");
    }

    /** The embedder, checked; null if there is none. */
    static @Nullable Embedder embedder(@Nullable Embedder embedder) {
        return embedder == null ? null : checked(embedder);
    }

    private static Embedder checked(Embedder embedder) {
        return new Embedder() {
            @Override
            public String id() {
                return CheckedPlugins.id(embedder, embedder.id());
            }

            @Override
            public List<float[]> embed(List<String> texts) {
                List<float[]> vectors = checked(embedder, "embed", embedder.embed(texts), true, "a list of vectors");
                if (vectors.size() != texts.size()) {
                    String must = "one vector for each of " + texts.size() + " texts";
                    throw failed(embedder, "embed", must, vectors.size() + " vectors");
                }
                for (float[] vector : vectors) {
                    check(vector, vectors.get(0));
                }
                return vectors;
            }

            private void check(float @Nullable [] vector, float @Nullable [] first) {
                if (vector == null || first == null) {
                    throw failed(embedder, "embed", "a vector for each text", null);
                } else if (vector.length != first.length) {
                    String must = "vectors of one dimension";
                    String found = first.length + " and " + vector.length + " numbers";
                    throw failed(embedder, "embed", must, found);
                }
                for (float number : vector) {
                    checked(embedder, "embed", number, Float.isFinite(number), "vectors of finite numbers");
                }
            }

            @Override
            public double floor() {
                double floor = embedder.floor();
                return checked(embedder, "floor", floor, floor >= 0 && floor <= 1, "a number from 0 to 1");
            }
        };
    }

    /**
     * The built-in hasher, which remembers the hashes of calls and failures, because one failure is asked for and
     * recorded, and often happens again at once. Bounded: at most {@value #SLOTS} inputs of at most
     * {@value #MAX_CHARS} characters. Thread-safe. A plug-in is asked each time: it may not be a pure function.
     */
    private static final class RememberedHashes implements Excerpt.Hasher {
        private static final int SLOTS = 256;
        private static final int MAX_CHARS = 4096;

        private final ContextHasher hasher;
        private final AtomicReferenceArray<@Nullable Known> slots = new AtomicReferenceArray<>(SLOTS);

        private record Known(HashInput input, ContextHash hash) {
            boolean isOf(HashInput other) {
                return input.error().equals(other.error())
                        && input.action().equals(other.action())
                        && input.tool().equals(other.tool())
                        && Objects.equals(input.exitCode(), other.exitCode());
            }
        }

        RememberedHashes(ContextHasher hasher) {
            this.hasher = hasher;
        }

        @Override
        public String id() {
            return hasher.id();
        }

        @Override
        public ContextHash hash(HashInput input) {
            return hash(input, null);
        }

        @Override
        public ContextHash hash(HashInput input, @Nullable Excerpt excerpt) {
            int chars = input.tool().length()
                    + input.action().length()
                    + input.error().length();
            boolean success = input.patternName() != null
                    || input.signature() != null
                    || !input.keySteps().isEmpty();
            if (success || chars > MAX_CHARS) {
                return computed(input, excerpt);
            }
            int code = 31 * (31 * input.tool().hashCode() + input.action().hashCode())
                    + input.error().hashCode();
            int slot = (code ^ code >>> 16) & SLOTS - 1;
            Known known = slots.get(slot);
            if (known == null || !known.isOf(input)) {
                known = new Known(input, computed(input, excerpt));
                slots.set(slot, known);
            }
            return known.hash;
        }

        private ContextHash computed(HashInput input, @Nullable Excerpt excerpt) {
            return excerpt == null ? hasher.hash(input) : excerpt.hash(hasher, input);
        }
    }
}

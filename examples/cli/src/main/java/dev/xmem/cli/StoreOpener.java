package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.XMemStore;
import dev.xmem.cli.doctor.Doctor;
import dev.xmem.core.StoreFolders;
import dev.xmem.core.XMem;
import dev.xmem.hooks.HookTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the stores that the commands work on. {@code --store} names one store for everything. Without it, failures and
 * successes are in {@link Environment#foundStore()}, and the journal and the directives are in the files that other
 * tools use too.
 */
final class StoreOpener {
    /** A program that has ended can wait for its advice. */
    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

    private final @Nullable Path named;
    private final Environment environment;
    private final Consumer<Path> changes;
    private final Consumer<Path> writes;

    /**
     * @param changes receives the directory of each store that is opened for writing
     * @param writes the same, also of stores that are opened together with the directives
     */
    StoreOpener(@Nullable Path named, Environment environment, Consumer<Path> changes, Consumer<Path> writes) {
        this.named = named;
        this.environment = environment;
        this.changes = changes;
        this.writes = writes;
    }

    /** Opens the store for writing; creates it if it does not exist. */
    XMemStore openOrCreate() {
        return openForWriting(folder());
    }

    /** Opens an existing store for reading; read-only if its files cannot be written. */
    XMemStore openForReading() {
        return openForReading(existing());
    }

    private XMemStore openForReading(Path folder) {
        boolean writable = Files.isWritable(folder) && Files.isWritable(folder.resolve("data"));
        return writable ? layered(folder).open() : layered(folder).readOnly().open();
    }

    /**
     * A store that also asks the user's store and the team's. A user's store beside another one is written to only if
     * it exists, or if the user named it.
     */
    private XMem.Builder layered(Path folder) {
        XMem.Builder builder = StoreFolders.layered(folder, environment.variables());
        Path user = StoreFolders.user(environment.variables());
        boolean wanted = !environment
                .variables()
                .getOrDefault(StoreFolders.USER_VARIABLE, "")
                .isEmpty();
        return user != null && !folder.equals(user) && !wanted && !isStore(user)
                ? builder.alsoAsk(Layer.USER, XMem.builder(user).readOnly())
                : builder;
    }

    /** Opens an existing store for copying its lessons to the user's store, which is created, or the team's. */
    XMemStore openForSharing() {
        return StoreFolders.layered(existing(), environment.variables()).open();
    }

    /** Opens the store for calls of several processes; creates it if it does not exist. */
    XMemStore openForCalls() {
        return layered(folder()).sharedSessions().guardLimit(CALL_LIMIT).open();
    }

    /** Opens an existing store for writing. */
    XMemStore openExisting() {
        return openForWriting(existing());
    }

    /** Opens an existing store read-only; not even derived files are rewritten. */
    XMemStore openReadOnly() {
        return XMem.builder(existing()).readOnly().open();
    }

    /** The directory of the store to sync; it need not exist yet. */
    Path directory() {
        return folder().toAbsolutePath().normalize();
    }

    /** The directory of the store; null if none is named, or there is none. */
    @Nullable Path directoryIfExists() {
        Path folder = named == null ? environment.foundStore() : named;
        return folder != null && isStore(folder) ? folder.toAbsolutePath().normalize() : null;
    }

    /** The directory of the store, which must exist. */
    Path existingDirectory() {
        return existing().toAbsolutePath().normalize();
    }

    /**
     * The directory of the store that hooks use, which must exist. Unless it is named, or in {@code XMEM_STORE}, it is
     * that of the hooks in the user's settings, else of those in the project's, which others may have written; of
     * several the one with the newest event. Without hooks it is that of the other commands.
     */
    Path ofHooks() throws IOException {
        Path store = named == null ? environment.store() : named;
        for (boolean user : new boolean[] {true, false}) {
            List<Optional<Path>> stores = store == null ? Doctor.stores(environment.place(), user) : List.of();
            if (stores.equals(List.of(Optional.<Path>empty()))) {
                throw new UsageException("only a shell can tell the store of the installed hooks: give --store DIR");
            }
            store = store == null ? newest(stores) : store;
        }
        return existing(store == null ? environment.foundStore() : store)
                .toAbsolutePath()
                .normalize();
    }

    /** The store that exists and has the newest event, else the first one; null if there is none. */
    private static @Nullable Path newest(List<Optional<Path>> stores) throws IOException {
        Instant now = Instant.now();
        Path newest = null;
        Instant event = null;
        for (Path store : stores.stream().flatMap(Optional::stream).toList()) {
            newest = newest == null ? store : newest;
            if (isStore(store)) {
                Instant last = HookTrace.read(store).stream()
                        .map(HookTrace.Event::at)
                        .filter(at -> !at.isAfter(now))
                        .max(Comparator.naturalOrder())
                        .orElse(Instant.MIN);
                newest = event == null || last.isAfter(event) ? store : newest;
                event = event == null || last.isAfter(event) ? last : event;
            }
        }
        return newest;
    }

    /** Opens the journal for writing; creates it if it does not exist. */
    XMemStore journalForWriting() {
        if (named != null) {
            return openForWriting(named);
        }
        Path journal = SingleFileStore.createIfMissing(environment.journal());
        return SingleFileStore.writable(journal).log(Entry.Kind.NOTE, journal).open();
    }

    /**
     * Opens the journal for searching. Creates an empty file if there is none, as the memory skill does, but no store.
     */
    XMemStore journalForReading() {
        if (named != null) {
            return openForReading(existing());
        }
        Path journal = SingleFileStore.createIfMissing(environment.journal());
        return SingleFileStore.readOnly(journal).log(Entry.Kind.NOTE, journal).open();
    }

    /** Opens the directives for writing; creates their files if they do not exist. */
    XMemStore directivesForWriting() {
        if (named != null) {
            return openForWriting(named);
        }
        Path local = SingleFileStore.realPath(environment.localDirectives());
        return withDirectives(SingleFileStore.writable(local), local).open();
    }

    /** Opens the directives for reading; creates nothing. */
    XMemStore directivesForReading() {
        if (named != null) {
            return openForReading(existing());
        }
        Path local = SingleFileStore.realPath(environment.localDirectives());
        return withDirectives(SingleFileStore.readOnly(local), local).open();
    }

    /** Opens an existing store for writing, together with the directives. */
    XMemStore openWithDirectives() {
        Path folder = existing();
        if (named != null) {
            return openForWriting(folder);
        }
        Path local = SingleFileStore.realPath(environment.localDirectives());
        writes.accept(folder);
        return withDirectives(layered(folder), local).open();
    }

    private XMemStore openForWriting(Path folder) {
        changes.accept(folder);
        writes.accept(folder);
        return layered(folder).open();
    }

    private XMem.Builder withDirectives(XMem.Builder builder, Path local) {
        return builder.log(Entry.Kind.DIRECTIVE, local)
                .globalDirectives(SingleFileStore.realPath(environment.globalDirectives()));
    }

    /** The directory of the existing store. */
    Path existing() {
        return existing(folder());
    }

    private Path existing(@Nullable Path given) {
        Path folder = known(given);
        Path data = folder.resolve("data");
        if (Files.isDirectory(data)) {
            return folder;
        }
        throw new UsageException(
                Files.notExists(data)
                        ? "no xmem store in " + folder + "; record something first"
                        : Files.exists(data)
                                ? "no xmem store in " + folder + ": data is not a folder"
                                : "the store in " + folder + " cannot be read: permission denied");
    }

    static boolean isStore(Path folder) {
        return Files.isDirectory(folder.resolve("data"));
    }

    private Path folder() {
        return known(named == null ? environment.foundStore() : named);
    }

    private Path known(@Nullable Path folder) {
        if (folder == null) {
            throw new UsageException(
                    "no store: give --store DIR, or set XMEM_STORE to its directory" + ofInstalledHooks());
        }
        return folder;
    }

    /** The store of the installed hooks, as the end of a sentence; empty if none is known. */
    private String ofInstalledHooks() {
        try {
            for (boolean user : new boolean[] {true, false}) {
                for (Optional<Path> store : Doctor.stores(environment.place(), user)) {
                    if (store.isPresent()) {
                        String event = isStore(store.get()) ? "" : ", which their first event creates";
                        return ". That of the hooks is " + store.get() + event;
                    }
                }
            }
        } catch (IOException e) {
            // nothing can be said of the hooks
        }
        return "";
    }
}

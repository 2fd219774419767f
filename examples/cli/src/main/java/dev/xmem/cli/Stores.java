package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stores that the commands work on. {@code --store} names one for everything. Without it the experience is in
 * {@code XMEM_STORE}, and journal and directives are where other tools look for them too.
 */
final class Stores {
    private final @Nullable Path named;
    private final Surroundings around;
    private final Consumer<Path> changes;

    /** The stores; whoever wants to know is told which one is opened to be changed. */
    Stores(@Nullable Path named, Surroundings around, Consumer<Path> changes) {
        this.named = named;
        this.around = around;
        this.changes = changes;
    }

    /** The store, made where it is not there yet. */
    XMemStore writing() {
        return changed(folder());
    }

    /** The store that is there already: asking makes none. Where its files cannot be written it is opened read-only. */
    XMemStore reading() {
        return reading(existing());
    }

    private static XMemStore reading(Path folder) {
        boolean writable = Files.isWritable(folder) && Files.isWritable(folder.resolve("data"));
        return writable ? XMem.open(folder) : XMem.builder(folder).readOnly().open();
    }

    /** The store that is there already, to be changed. */
    XMemStore changing() {
        return changed(existing());
    }

    /** The store that is there already, for looking only: not even derived files are renewed. */
    XMemStore inspecting() {
        return XMem.builder(existing()).readOnly().open();
    }

    /** Where the store is that is to sync; it is made where it is not there yet. */
    Path folderToSync() {
        return folder().toAbsolutePath().normalize();
    }

    /** Where the store is, which must be there already. */
    Path folderThatIsThere() {
        return existing().toAbsolutePath().normalize();
    }

    /** The journal, made where it is not there yet. */
    XMemStore journalToWrite() {
        if (named != null) {
            return changed(named);
        }
        Path journal = FileStore.touched(around.journal());
        return FileStore.writing(journal).log(Entry.Kind.NOTE, journal).open();
    }

    /** The journal to be searched. The file is made where it is not there yet, as the memory skill has it; no store is. */
    XMemStore journalToRead() {
        if (named != null) {
            return reading(existing());
        }
        Path journal = FileStore.touched(around.journal());
        return FileStore.reading(journal).log(Entry.Kind.NOTE, journal).open();
    }

    /** The directives, their files made where they are not there yet. */
    XMemStore directivesToWrite() {
        if (named != null) {
            return changed(named);
        }
        Path local = FileStore.real(around.localDirectives());
        return withDirectives(FileStore.writing(local), local).open();
    }

    /** The directives to be read; nothing is made. */
    XMemStore directivesToRead() {
        if (named != null) {
            return reading(existing());
        }
        Path local = FileStore.real(around.localDirectives());
        return withDirectives(FileStore.reading(local), local).open();
    }

    /** The store that is there already, and the directives that are made of its successes. */
    XMemStore promoting() {
        Path folder = existing();
        Path local = FileStore.real(around.localDirectives());
        return named == null ? withDirectives(XMem.builder(folder), local).open() : changed(folder);
    }

    private XMemStore changed(Path folder) {
        changes.accept(folder);
        return XMem.open(folder);
    }

    private XMem.Builder withDirectives(XMem.Builder builder, Path local) {
        return builder.log(Entry.Kind.DIRECTIVE, local).globalDirectives(FileStore.real(around.globalDirectives()));
    }

    private Path existing() {
        Path folder = folder();
        if (!Files.isDirectory(folder.resolve("data"))) {
            throw new UsageException("no xmem store in " + folder + "; record something first");
        }
        return folder;
    }

    private Path folder() {
        Path folder = named == null ? around.store() : named;
        if (folder == null) {
            throw new UsageException("which store? Give --store DIR, or set XMEM_STORE to its folder.");
        }
        return folder;
    }
}

package dev.xmem.core.answer.search;

import static dev.xmem.core.answer.search.Stores.ids;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.util.List;

/** An in-memory store and helpers for tests of searches. */
abstract class SearchFixture {
    final XMemStore store = Stores.inMemory();

    List<String> search(Query query) {
        return ids(store.search(query));
    }

    String failure(String tool, String error) {
        return store.recordFailure(Failure.of(tool, "run", error)).id();
    }

    String note(String content) {
        return store.writeNote(Note.of("note", content)).id();
    }
}

package dev.xmem.core.base.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event types of JFR. JFR reads their fields by reflection. */
@SuppressWarnings("UnusedVariable") // JFR reads them
final class JfrEvents {
    private JfrEvents() {}

    static RecordedEvent begin(StoreEvent.Operation operation) {
        RecordedEvent event = switch (operation) {
            case APPEND -> new AppendEvent();
            case COMPACTION -> new CompactionEvent();
            case INDEX_FILE -> new IndexFileEvent();
            case RECALL -> new RecallEvent();
            case SEARCH -> new SearchEvent();
            case SEGMENT -> new SegmentEvent();
            case SYNC -> new SyncEvent();
        };
        event.begin();
        return event;
    }

    @Category("xmem")
    @StackTrace(false)
    abstract static class RecordedEvent extends Event {
        /** Sets the fields that this type of event has. */
        void result(String mode, long count, long total) {}
    }

    @Name("dev.xmem.Append")
    @Label("Append")
    @Description("Entries were appended to their logs")
    static final class AppendEvent extends RecordedEvent {
        @Label("Entries")
        @Description("The number of entries")
        private int entries;

        @Override
        void result(String mode, long count, long total) {
            entries = (int) count;
        }
    }

    @Name("dev.xmem.Compaction")
    @Label("Compaction")
    @Description("Logs were compacted")
    static final class CompactionEvent extends RecordedEvent {
        @Label("Removed")
        @Description("The number of lines that were removed")
        private long removed;

        @Override
        void result(String mode, long count, long total) {
            removed = count;
        }
    }

    @Name("dev.xmem.IndexFile")
    @Label("IndexFile")
    @Description("index.json was updated")
    static final class IndexFileEvent extends RecordedEvent {}

    @Name("dev.xmem.Recall")
    @Label("Recall")
    @Description("The memory was searched for a failed call")
    static final class RecallEvent extends RecordedEvent {
        @Label("Entries")
        @Description("The number of entries in the answer")
        private int entries;

        @Override
        void result(String mode, long count, long total) {
            entries = (int) count;
        }
    }

    @Name("dev.xmem.Search")
    @Label("Search")
    @Description("A query was answered")
    static final class SearchEvent extends RecordedEvent {
        @Label("Mode")
        @Description("How the text of the query was matched")
        private String mode = "";

        @Label("Entries")
        @Description("The number of entries on the page")
        private int entries;

        @Label("Total")
        @Description("The number of all hits")
        private long total;

        @Override
        void result(String searchMode, long count, long hits) {
            mode = searchMode;
            entries = (int) count;
            total = hits;
        }
    }

    @Name("dev.xmem.Segment")
    @Label("Segment")
    @Description("A segment of an index was written")
    static final class SegmentEvent extends RecordedEvent {}

    @Name("dev.xmem.Sync")
    @Label("Sync")
    @Description("A round of a sync ended")
    static final class SyncEvent extends RecordedEvent {}
}

package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.util.CharTokenizer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.Version;

/**
 * Lucene: lines as stored fields, the context hash as a term, all texts in one field with the porter stemmer and the
 * same tokens as FTS5. A literal is a phrase query, newest first, whose lines are then verified; a ranked query is
 * BM25 over terms joined by OR.
 */
public final class LuceneEngine implements Engine {
    private static final double BUFFER_MB = 256;

    /** Creates the engine; the service loader calls it. */
    public LuceneEngine() {}

    @Override
    public String name() {
        return "lucene";
    }

    @Override
    public String version() {
        return "Lucene " + Version.LATEST;
    }

    @Override
    public Set<QueryType> supportedTypes() {
        EnumSet<QueryType> types = EnumSet.allOf(QueryType.class);
        types.removeIf(type -> type.kind() == QueryType.Kind.REGEX);
        return types;
    }

    private static Analyzer analyzer() {
        return new Analyzer() {
            @Override
            protected TokenStreamComponents createComponents(String field) {
                Tokenizer words = CharTokenizer.fromTokenCharPredicate(Character::isLetterOrDigit);
                return new TokenStreamComponents(words, new PorterStemFilter(new LowerCaseFilter(words)));
            }
        };
    }

    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        long[] seq = {0};
        IndexWriterConfig config = new IndexWriterConfig(analyzer()).setRAMBufferSizeMB(BUFFER_MB);
        try (Directory directory = FSDirectory.open(folder);
                IndexWriter writer = new IndexWriter(directory, config)) {
            dataset.forEachChunk(chunk -> {
                for (StoredEntry stored : chunk) {
                    writer.addDocument(document(stored, ++seq[0]));
                }
            });
        }
    }

    private static Document document(StoredEntry stored, long seq) {
        Document document = new Document();
        document.add(new StoredField("line", stored.line().getBytes(StandardCharsets.UTF_8)));
        document.add(new StringField("hash", stored.entry().hash().value(), Field.Store.NO));
        document.add(new LongField("seq", seq, Field.Store.NO));
        document.add(new TextField("text", String.join("\n", stored.texts()), Field.Store.NO));
        return document;
    }

    @Override
    public Searcher open(Path folder) throws IOException {
        return new Open(DirectoryReader.open(FSDirectory.open(folder)));
    }

    private static final class Open implements Searcher {
        private static final Sort NEWEST =
                new Sort(LongField.newSortField("seq", true, SortedNumericSelector.Type.MAX));

        private final DirectoryReader reader;
        private final IndexSearcher searcher;
        private final QueryBuilder words = new QueryBuilder(analyzer());
        private final LineParser parser = new LineParser();

        Open(DirectoryReader reader) {
            this.reader = reader;
            this.searcher = new IndexSearcher(reader);
        }

        @Override
        public List<String> ids(TestQuery query) throws IOException {
            String text = query.text();
            int limit = query.type().limit();
            return switch (query.type().kind()) {
                case HASH -> newest(new TermQuery(new Term("hash", text)), "", limit);
                case LITERAL -> newest(words.createPhraseQuery("text", text), text, limit);
                case WORDS -> ids(searcher.search(words.createBooleanQuery("text", text), limit));
                case REGEX -> throw new UnsupportedOperationException("regular expressions are not supported");
            };
        }

        private List<String> ids(TopDocs found) throws IOException {
            List<String> ids = new ArrayList<>();
            for (ScoreDoc hit : found.scoreDocs) {
                ids.add(id(line(hit)));
            }
            return ids;
        }

        private List<String> newest(Query query, String text, int limit) throws IOException {
            List<String> ids = new ArrayList<>();
            TopDocs found = searcher.search(query, limit, NEWEST);
            while (found.scoreDocs.length > 0) {
                for (ScoreDoc hit : found.scoreDocs) {
                    byte[] line = line(hit);
                    if (new String(line, StandardCharsets.UTF_8).contains(text)) {
                        ids.add(id(line));
                    }
                    if (ids.size() == limit) {
                        return ids;
                    }
                }
                ScoreDoc last = found.scoreDocs[found.scoreDocs.length - 1];
                found = searcher.searchAfter(last, query, limit, NEWEST);
            }
            return ids;
        }

        private byte[] line(ScoreDoc hit) throws IOException {
            return searcher.storedFields().document(hit.doc).getBinaryValue("line").bytes;
        }

        private String id(byte[] line) throws IOException {
            Map<String, Object> fields = parser.fields(line);
            return (String) fields.getOrDefault("id", "");
        }

        @Override
        public void close() throws IOException {
            reader.close();
            reader.directory().close();
        }
    }
}

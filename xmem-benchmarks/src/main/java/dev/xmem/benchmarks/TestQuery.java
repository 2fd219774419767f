package dev.xmem.benchmarks;

import java.util.List;

/**
 * A question and its answer.
 *
 * @param text a context hash, a text, a regular expression or words
 * @param ids the right answer, worked out from the corpus alone; empty where no answer is the only right one
 */
record TestQuery(QueryType type, String text, List<String> ids) {}

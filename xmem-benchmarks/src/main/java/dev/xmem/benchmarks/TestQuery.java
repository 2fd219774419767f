package dev.xmem.benchmarks;

import java.util.List;

/**
 * A query and its answer.
 *
 * @param text a context hash, a literal, a regular expression or words
 * @param ids the expected answer, computed from the corpus alone; empty for ranked queries, whose answer depends on
 *     the formula
 */
record TestQuery(QueryType type, String text, List<String> ids) {}

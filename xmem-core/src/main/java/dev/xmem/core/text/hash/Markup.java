package dev.xmem.core.text.hash;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads an answer in XML or HTML. */
final class Markup {
    private static final int MAX_CHARS = 600;
    private static final int MAX_ELEMENTS = 200;
    private static final LiteralPattern START =
            new LiteralPattern("<(?:\\?xml\\b|!(?i:DOCTYPE)\\b|([A-Za-z][\\w.:-]{0,60})(?=[ \\n>]))");
    private static final LiteralPattern STATUS = new LiteralPattern(
            "(?:HTTP |Error |HTTP Status |Status )?(?<![\\w.:-])[45]\\d\\d(?![\\w.:-]\\w)(?: ERROR\\b)?[ :\u2013-]*");
    private static final LiteralPattern SITE = new LiteralPattern("[\\w.-]+\\.[a-z]{2,12} \\| ");

    private Markup() {}

    /** Where the document in a text begins and ends, or null. */
    static int @Nullable [] document(String text) {
        if (text.indexOf("</") < 0 && !text.startsWith("<")) {
            return null;
        }
        Matcher start = START.matcher(text);
        while (start.find()) {
            String name = start.group(1);
            int end = name == null ? text.lastIndexOf('>') : text.lastIndexOf("</" + name);
            if (end > start.start()) {
                end = name == null ? end : text.indexOf('>', end);
                return new int[] {start.start(), end < 0 ? text.length() : end + 1};
            }
        }
        return null;
    }

    /** What the title of a page or a heading says, without the status; null if the document is no page. */
    static @Nullable String page(String document) {
        int prolog = document.startsWith("<?xml") ? document.indexOf("?>") : -1;
        String text = prolog < 0 ? document : document.substring(prolog + 2).stripLeading();
        if (!text.regionMatches(true, 0, "<html", 0, 5) && !text.regionMatches(true, 0, "<!doctype html", 0, 14)) {
            return null;
        }
        String head = text.substring(0, Math.min(text.length(), 20 * MAX_CHARS));
        String lower = CharClasses.lowerCase(head);
        String said = "";
        for (String name : List.of("pre", "title", "h1", "h2", "p")) {
            int from = lower.indexOf('<' + name + '>');
            int end = from < 0 ? -1 : lower.indexOf('<', from + name.length() + 2);
            if (end > 0) {
                String line = unescape(head.substring(from + name.length() + 2, Math.min(end, from + MAX_CHARS)));
                String plain = SITE.matcher(line).replaceFirst("");
                Matcher number = STATUS.matcher(plain);
                plain = number.lookingAt() ? plain.substring(number.end()) : plain;
                if (said.isEmpty() || AnswerWords.isGeneric(said)) {
                    said = plain.isEmpty() ? said : plain;
                }
            }
        }
        return said;
    }

    /** Reads the elements of a document that have only text as fields of an answer. */
    static void read(String text, StructuredError error) {
        Deque<String> open = new ArrayDeque<>();
        int at = text.indexOf('<');
        for (int i = 0; at >= 0 && i < MAX_ELEMENTS; i++) {
            int close = text.indexOf('>', at);
            if (close < 0) {
                return;
            }
            char first = text.charAt(at + 1);
            int next = text.indexOf('<', close);
            if (first == '/') {
                open.poll();
            } else if (Character.isLetter(first) && text.charAt(close - 1) != '/') {
                String name = name(text, at + 1, close);
                String value = text.substring(close + 1, next < 0 ? text.length() : next);
                if (next > 0 && text.startsWith("</", next)) {
                    String parent = open.isEmpty() ? "" : open.getFirst();
                    boolean inner = name.equals("value") && parent.endsWith("code");
                    value = unescape(value.substring(0, Math.min(value.length(), MAX_CHARS)));
                    boolean scoped = inner || name.equals("faultcode");
                    error.field(inner ? "code" : name, scoped ? value.substring(value.lastIndexOf(':') + 1) : value);
                }
                error.mark(name);
                open.push(name);
            }
            at = next;
        }
    }

    /** The name of an element without its namespace, as the key of a field. */
    private static String name(String text, int from, int close) {
        int end = from;
        while (end < close && text.charAt(end) > ' ') {
            end++;
        }
        String name = text.substring(Math.max(from, text.lastIndexOf(':', end - 1) + 1), end);
        return CharClasses.lowerCase(name).replace("_", "").replace("-", "");
    }

    private static String unescape(String text) {
        String plain = text.indexOf('&') < 0
                ? text
                : text.replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&#39;", "'")
                        .replace("&apos;", "'")
                        .replace("&nbsp;", " ")
                        .replace("&amp;", "&");
        return plain.strip();
    }
}

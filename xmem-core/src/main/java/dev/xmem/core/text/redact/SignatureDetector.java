package dev.xmem.core.text.redact;

/** Finds the parameters of URLs that are secret there, and elsewhere may be anything: {@code ?sig=}, {@code &key=}. */
final class SignatureDetector implements SecretDetector {
    private static final CharSet NAME = CharSet.of("A-Za-z0-9_-");
    private static final CharSet VALUE = CharSet.of("A-Za-z0-9%+/=._~-");
    private static final int LONGEST_NAME = 32;
    private static final int LEAST = 16;

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        int name = NAME.startOfRun(text, start, LONGEST_NAME);
        if (!isParameter(text, name)) {
            return;
        }
        int to = VALUE.endOfRun(text, end, Integer.MAX_VALUE);
        if (to - end >= LEAST && FalsePositiveFilter.isMixed(text, end, to)) {
            sweep.redact(end, to, sweep.specific(end, to, "url-signature"));
        }
    }

    private static boolean isParameter(PaddedText text, int name) {
        char before = text.at(name - 1);
        return before == '?' || before == '&' || before == '#' || before == ';' && text.has(name - 5, "&amp;");
    }
}

package dev.xmem.core.text.hash;

/** What a run of characters without blanks is made of. */
final class TokenShape {
    int letters;
    int digits;
    int slashes;
    int dots;
    int hyphens;
    int underscores;
    int apostrophes;
    boolean url;
    /** Upper case follows lower case. */
    boolean camel;
    /** Has a lower-case letter. */
    boolean lower;

    private TokenShape() {}

    static TokenShape of(String line, int from, int to) {
        TokenShape shape = new TokenShape();
        boolean lowerBefore = false;
        for (int i = from; i < to; i++) {
            char c = line.charAt(i);
            boolean lowerNow = c >= 'a' && c <= 'z' || c > 127 && Character.isLowerCase(c);
            shape.camel |= lowerBefore && c >= 'A' && c <= 'Z';
            shape.lower |= lowerNow;
            lowerBefore = lowerNow;
            shape.count(c, line, i);
        }
        return shape;
    }

    private void count(char c, String line, int at) {
        switch (c) {
            case '/', '\\' -> slashes++;
            case '.' -> dots++;
            case '-' -> hyphens++;
            case '_' -> underscores++;
            case '\'', '’' -> apostrophes++;
            case ':' -> url |= line.startsWith("://", at);
            default -> {
                if (CharClasses.isDigit(c)) {
                    digits++;
                } else if (Character.isLetter(c)) {
                    letters++;
                }
            }
        }
    }
}

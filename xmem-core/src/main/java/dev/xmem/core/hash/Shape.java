package dev.xmem.core.hash;

/** What a run of characters without blanks is made of. */
final class Shape {
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

    private Shape() {}

    static Shape of(String line, int from, int to) {
        Shape shape = new Shape();
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

    boolean onlyLetters(int length) {
        return letters == length;
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
                if (Chars.isDigit(c)) {
                    digits++;
                } else if (Character.isLetter(c)) {
                    letters++;
                }
            }
        }
    }
}

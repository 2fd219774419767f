package dev.xmem.core.text.regex;

/**
 * A text that counts how often it is looked at. A regular expression that backtracks for ever does so by looking at the
 * same characters again, so counting them bounds the time that a match can take.
 */
final class CountingCharSequence implements CharSequence {
    private final CharSequence text;
    private final RegexBudget budget;
    private final int price;

    CountingCharSequence(CharSequence text, RegexBudget budget, int price) {
        this.text = text;
        this.budget = budget;
        this.price = price;
    }

    @Override
    public char charAt(int index) {
        budget.spend(price);
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new CountingCharSequence(text.subSequence(start, end), budget, price);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

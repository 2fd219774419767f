package dev.xmem.core.words;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request in words, taken apart: one slot for each thing asked, with the terms that would answer it. The word itself
 * counts in full, what means the same a little less; the best of them in an entry counts, not their sum. At most
 * {@value #MOST_SLOTS} slots; a longer request is read up to there.
 */
final class Request implements TermSink {
    static final int MOST_SLOTS = 64;

    private static final double NEGATED = 1.1;
    private static final double CAUSE = 0.9;
    private static final double WHOLE = 1.2;
    private static final double PART = 0.7;
    private static final double WEAK = 0.4;

    private final String text;
    private final List<Slot> slots = new ArrayList<>();
    private final Map<Integer, Slot> byPosition = new LinkedHashMap<>();
    private final List<Late> late = new ArrayList<>();
    private final Analyzer analyzer = new Analyzer();

    /** One thing asked. */
    static final class Slot {
        final String word;
        final double weight;
        final boolean identifier;
        final Map<String, Double> terms = new LinkedHashMap<>();

        Slot(String word, double weight, boolean identifier) {
            this.word = word;
            this.weight = weight;
            this.identifier = identifier;
        }

        void or(String term, double factor) {
            terms.merge(term, factor, Math::max);
        }
    }

    private record Late(int from, int to, String cause, List<Synonyms.Alternative> alternatives) {}

    private Request(String text) {
        this.text = text;
    }

    static List<Slot> slots(String text) {
        Request request = new Request(text);
        request.analyzer.analyze(text, request);
        request.late.forEach(request::addLate);
        return request.slots;
    }

    @Override
    public void term(char[] chars, int length, TermKind kind, int from, int to) {
        String term = new String(chars, 0, length);
        switch (kind) {
            case WORD, PART -> word(term, kind, from);
            case WHOLE -> slot(term, WHOLE, true).or(term, 1);
            case NEGATED -> {
                Slot slot = byPosition.get(from);
                if (slot != null) {
                    slot.or(term, NEGATED);
                }
            }
            case CAUSE -> late.add(new Late(from, to, term, List.of()));
        }
    }

    @Override
    public void synonyms(Synonyms synonyms, int from, int to) {
        late.add(new Late(from, to, "", synonyms.alternatives()));
    }

    private void word(String term, TermKind kind, int position) {
        Slot slot = byPosition.get(position);
        if (slot == null) {
            double weight = (kind == TermKind.PART ? PART : 1) * (isWeak(term) ? WEAK : 1);
            slot = slot(term, weight, isCode(term));
            byPosition.put(position, slot);
        }
        slot.or(term, 1);
    }

    private Slot slot(String word, double weight, boolean identifier) {
        for (Slot slot : slots) {
            if (slot.word.equals(word)) {
                return slot;
            }
        }
        Slot slot = new Slot(word, weight, identifier);
        if (slots.size() < MOST_SLOTS) {
            slots.add(slot);
        }
        return slot;
    }

    private void addLate(Late late) {
        List<Slot> covered = new ArrayList<>();
        for (int i = late.from; i <= late.to; i++) {
            Slot slot = byPosition.get(i);
            if (slot != null) {
                covered.add(slot);
            }
        }
        if (covered.isEmpty()) {
            covered.add(slot(late.cause, 1, false));
        }
        double share = 1 / Math.sqrt(covered.size());
        for (Slot slot : covered) {
            if (!late.cause.isEmpty()) {
                slot.or(late.cause, CAUSE * share);
            }
            late.alternatives.forEach(a -> slot.or(a.term(), a.weight() * share));
        }
    }

    private static boolean isWeak(String term) {
        char[] chars = term.toCharArray();
        Lexicon.Entry entry = Lexicon.standard().find(chars, chars.length);
        return entry != null && entry.weak;
    }

    private static boolean isCode(String term) {
        boolean digit = false;
        boolean letter = false;
        for (int i = 0; i < term.length(); i++) {
            digit |= Chars.isDigit(term.charAt(i));
            letter |= !Chars.isDigit(term.charAt(i));
        }
        return digit && letter;
    }
}

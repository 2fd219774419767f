package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The highest number of each day among ids of the form {@code YYYY-MM-DD-NNN}. A number above {@value #LAST} is
 * ignored, and never assigned. Not thread-safe.
 */
public final class DailyIdCounter {
    /** The last number of a day that is assigned. */
    public static final int LAST = 99_999_999;

    private static final int DATE_CHARS = 10;
    private static final int MAX_DIGITS = 9;

    private final Map<String, Integer> highest = new HashMap<>();
    private String lastDay = "";
    private int lastHighest;

    /** Whether a text has the form of an id: a date, a hyphen, and a number of at least three digits. */
    public static boolean isId(String id) {
        return dayOf(id) >= 0;
    }

    /** The day of an id as a number such as 20260214; -1 for a text that is none. */
    public static int dayOf(String id) {
        if (id.length() < DATE_CHARS + 4 || id.length() > DATE_CHARS + 1 + MAX_DIGITS) {
            return -1;
        }
        int day = 0;
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (i == 4 || i == 7 || i == DATE_CHARS) {
                if (c != '-') {
                    return -1;
                }
            } else if (c < '0' || c > '9') {
                return -1;
            } else if (i < DATE_CHARS) {
                day = 10 * day + c - '0';
            }
        }
        return day;
    }

    /** The id with a number on a day. */
    public static String id(String day, int number) {
        return day + (number < 10 ? "-00" : number < 100 ? "-0" : "-") + number;
    }

    /** The number of an id of this day; 0 for an id of another day, or an ignored number. */
    public static int number(String id, String day) {
        boolean ofDay = isId(id) && id.startsWith(day);
        return ofDay ? number(id) : 0;
    }

    /** The number of an id; 0 if it is ignored. */
    private static int number(String id) {
        int number = Integer.parseInt(id, DATE_CHARS + 1, id.length(), 10);
        return number > LAST ? 0 : number;
    }

    /** A number of a day from its decimal form; 0 if it is no such day or number. */
    public static int numberOf(String day, String decimal) {
        String id = day + "-" + "0".repeat(Math.max(0, 3 - decimal.length())) + decimal;
        return day.length() == DATE_CHARS && isId(id) ? number(id) : 0;
    }

    /** The highest number of every day. */
    public Map<String, Integer> highest() {
        Map<String, Integer> all = new HashMap<>(highest);
        raise(all, lastDay, lastHighest);
        return all;
    }

    private static void raise(Map<String, Integer> highest, String day, int number) {
        if (number > highest.getOrDefault(day, 0)) {
            highest.put(day, number);
        }
    }

    void see(@Nullable String id) {
        if (id == null || !isId(id)) {
            return;
        }
        int number = number(id);
        if (!id.startsWith(lastDay) || lastDay.isEmpty()) {
            raise(highest, lastDay, lastHighest);
            lastDay = id.substring(0, DATE_CHARS);
            lastHighest = highest.getOrDefault(lastDay, 0);
        }
        lastHighest = Math.max(lastHighest, number);
    }

    /** Sees a key of a dictionary. Makes a text of it only if its day is another one than that of the last id. */
    void see(TermDictionary ids, int place) {
        ByteBuffer in = ids.section();
        int start = ids.keyStart(place);
        int length = ids.keyLength(place);
        boolean same =
                lastDay.length() == DATE_CHARS && length >= DATE_CHARS + 4 && length <= DATE_CHARS + 1 + MAX_DIGITS;
        for (int i = 0; same && i <= DATE_CHARS; i++) {
            same = in.get(start + i) == (i < DATE_CHARS ? lastDay.charAt(i) : '-');
        }
        int number = 0;
        for (int i = DATE_CHARS + 1; same && i < length; i++) {
            int digit = in.get(start + i) - '0';
            same = digit >= 0 && digit <= 9;
            number = 10 * number + digit;
        }
        if (!same) {
            see(ids.key(place));
        } else if (number <= LAST) {
            lastHighest = Math.max(lastHighest, number);
        }
    }

    public int highest(String day) {
        return day.equals(lastDay) ? lastHighest : highest.getOrDefault(day, 0);
    }

    /** Adds the numbers of another counter. */
    void add(DailyIdCounter other) {
        for (Map.Entry<String, Integer> day : other.highest.entrySet()) {
            raise(highest, day.getKey(), day.getValue());
        }
        raise(highest, other.lastDay, other.lastHighest);
        lastHighest = Math.max(lastHighest, other.highest(lastDay));
    }

    void write(SectionWriter out) {
        Map<String, Integer> days = new TreeMap<>(highest());
        out.writeInt(days.size());
        days.forEach((day, number) -> {
            out.writeText(day);
            out.writeInt(number);
        });
    }

    void read(ByteBuffer in) {
        int n = in.getInt();
        for (int i = 0; i < n; i++) {
            raise(highest, SectionFile.text(in), in.getInt());
        }
    }
}

package dev.xmem.benchmarks;

import java.util.List;
import java.util.Locale;

/** Draws groups of bars from 0 to 1 as an SVG. */
final class BarPlot {
    private static final String[] COLOURS = {"#1f77b4", "#bbbbbb"};
    private static final int BAR = 26;
    private static final int GAP = 30;
    private static final int HEIGHT = 180;
    private static final int TOP = 44;
    private static final int LEFT = 40;

    private BarPlot() {}

    /** A labelled group with one bar per series. */
    record Group(String name, double... values) {}

    static String svg(String title, List<String> series, List<Group> groups) {
        int step = series.size() * BAR + GAP;
        int width = LEFT + groups.size() * step + GAP;
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                width,
                TOP + HEIGHT + 40));
        text(out, LEFT, 16, "start", title);
        for (int i = 0; i < series.size(); i++) {
            rect(out, LEFT + i * 130, 24, 10, 10, COLOURS[i]);
            text(out, LEFT + i * 130 + 14, 33, "start", series.get(i));
        }
        for (int tenths = 0; tenths <= 10; tenths += 2) {
            int y = TOP + HEIGHT - HEIGHT * tenths / 10;
            rect(out, LEFT, y, width - LEFT - GAP / 2, 1, "#dddddd");
            text(out, LEFT - 6, y + 4, "end", tenths == 10 ? "1.0" : "." + tenths);
        }
        for (int g = 0; g < groups.size(); g++) {
            int x = LEFT + GAP / 2 + g * step;
            for (int i = 0; i < series.size(); i++) {
                double value = groups.get(g).values()[i];
                int height = (int) Math.round(HEIGHT * value);
                rect(out, x + i * BAR, TOP + HEIGHT - height, BAR - 4, height, COLOURS[i]);
                String label = String.format(Locale.ROOT, "%.2f", value);
                text(out, x + i * BAR + BAR / 2 - 2, TOP + HEIGHT - height - 3, "middle", label);
            }
            text(
                    out,
                    x + series.size() * BAR / 2,
                    TOP + HEIGHT + 16,
                    "middle",
                    groups.get(g).name());
        }
        return out.append("</svg>\n").toString();
    }

    private static void rect(StringBuilder out, int x, int y, int width, int height, String colour) {
        out.append(String.format(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n", x, y, width, height, colour));
    }

    private static void text(StringBuilder out, int x, int y, String anchor, String text) {
        out.append(String.format("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }
}

package dev.xmem.benchmarks.repeat;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws a line plot as a deterministic SVG. */
final class LinePlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 360;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;
    private static final List<String> COLORS = List.of("#8c8c8c", "#c77d0a", "#1766b3");

    private LinePlot() {}

    static String of(String title, String across, Map<String, List<Integer>> lines) {
        int most = 1;
        int points = 1;
        for (List<Integer> line : lines.values()) {
            points = Math.max(points, line.size());
            for (int value : line) {
                most = Math.max(most, value);
            }
        }
        StringBuilder svg = new StringBuilder(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + ' ' + HEIGHT
                        + "\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        svg.append(text(LEFT, 22, "start", title));
        for (int i = 0; i <= 4; i++) {
            int value = most * i / 4;
            double y = y(value, most);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
                    LEFT,
                    y,
                    WIDTH - RIGHT,
                    y));
            svg.append(text(LEFT - 8, (int) y + 4, "end", String.valueOf(value)));
        }
        for (int i = 0; i < points; i++) {
            svg.append(text((int) x(i, points), HEIGHT - BOTTOM + 18, "middle", String.valueOf(i + 1)));
        }
        svg.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "middle", across));
        int number = 0;
        for (Map.Entry<String, List<Integer>> line : lines.entrySet()) {
            svg.append(line(line.getValue(), points, most, COLORS.get(number % COLORS.size())));
            svg.append("<rect x=\"")
                    .append(LEFT + 12)
                    .append("\" y=\"")
                    .append(TOP + 2 + 20 * number)
                    .append("\" width=\"14\" height=\"4\" fill=\"")
                    .append(COLORS.get(number % COLORS.size()))
                    .append("\"/>\n");
            svg.append(text(LEFT + 32, TOP + 8 + 20 * number, "start", line.getKey()));
            number++;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String line(List<Integer> values, int points, int most, String color) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            path.append(
                    String.format(Locale.ROOT, "%s%.1f,%.1f", i == 0 ? "" : " ", x(i, points), y(values.get(i), most)));
        }
        return "<polyline fill=\"none\" stroke=\"" + color + "\" stroke-width=\"2.5\" points=\"" + path + "\"/>\n";
    }

    private static double x(int point, int points) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (point + 0.5) / points;
    }

    private static double y(int value, int most) {
        return HEIGHT - BOTTOM - (double) (HEIGHT - TOP - BOTTOM) * value / most;
    }

    private static String text(int x, int y, String anchor, String text) {
        return "<text x=\"" + x + "\" y=\"" + y + "\" text-anchor=\"" + anchor + "\">" + text + "</text>\n";
    }
}

package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The same event with every path, name, number and the order of flags changed keeps its hash. */
final class StabilityTest {
    private static final RuleBasedHasher HASHER = new RuleBasedHasher();

    /** Tool, call and error; {n} is a name, {p} a path, {d} a number, {f} flags. */
    private static final List<List<String>> TEMPLATES = List.of(
            List.of("git", "git {f} push origin {n}", "error: src refspec {n} does not match any"),
            List.of(
                    "git",
                    "cd {p} && git checkout {n}",
                    "error: pathspec '{n}' did not match any file(s) known to git"),
            List.of(
                    "node",
                    "node {p}.js",
                    "Error: listen EADDRINUSE: address already in use :::{d}\n    at Server.listen ({p}:{d}:{d})"),
            List.of(
                    "python3",
                    "python3 {p}.py",
                    "Traceback (most recent call last):\n  File \"{p}.py\", line {d}, in <module>\n    import {n}\nModuleNotFoundError: No module named '{n}'"),
            List.of("cat", "cat {p}", "cat: {p}: No such file or directory"),
            List.of(
                    "psql",
                    "psql -h {n} -p {d} {n}",
                    "psql: error: connection to server at \"{n}\", port {d} failed: Connection refused"),
            List.of("gcc", "gcc {f} -c {n}.c", "{n}.c:{d}:{d}: error: '{n}' undeclared (first use in this function)"),
            List.of(
                    "docker",
                    "docker run {f} {n}:{d}",
                    "Unable to find image '{n}:{d}' locally\ndocker: Error response from daemon: pull access denied for {n}"),
            List.of(
                    "frob",
                    "frob apply {p}",
                    "2024-03-0{d} 10:00:{d} ERROR worker {d}: quota exceeded for '{n}' ({d} > {d})"));

    @Property(tries = 600)
    void hash_otherNamesPathsNumbersAndFlagOrder_sameHash(
            @ForAll @IntRange(max = 8) int template,
            @ForAll("fillings") List<String> one,
            @ForAll("fillings") List<String> other) {
        List<String> event = TEMPLATES.get(template);
        assertThat(hash(event, other)).isEqualTo(hash(event, one));
    }

    @Provide
    Arbitrary<List<String>> fillings() {
        Arbitrary<String> name =
                Arbitraries.of("amber", "birch-7", "cedar_x", "delta9", "emberLamp", "fjord.v2", "grove-hazel");
        Arbitrary<String> path =
                Arbitraries.of("/home/ann/a_b/c", "./x/y-z", "/tmp/tmp.Ab12/w", "../data/2024/k", "/srv/builds/77/q");
        Arbitrary<String> number = Arbitraries.of("10", "42", "99", "77", "15");
        Arbitrary<String> flags = Arbitraries.of("-v --quiet", "--quiet -v", "", "-v");
        return Combinators.combine(name, path, number, flags).as(List::of);
    }

    private static String hash(List<String> event, List<String> filling) {
        String action = filled(event.get(1), filling);
        String error = filled(event.get(2), filling);
        String stored = Excerpt.of(event.get(0), action, error).text();
        return HASHER.hash(HashInput.of(event.get(0), action).error(stored, 1)).value();
    }

    private static String filled(String template, List<String> filling) {
        return template.replace("{n}", filling.get(0))
                .replace("{p}", filling.get(1))
                .replace("{d}", filling.get(2))
                .replace("{f}", filling.get(3));
    }
}

package dev.xmem.core.faults;

import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;
import org.junit.jupiter.api.Test;

/**
 * Any calls in any order, with crashes, power cuts and other programs in between: the store is what a simple model is.
 */
class ModelTest {
    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    void store_anyCalls_isWhatTheModelIs(@ForAll("calls") ActionChain<World> calls) {
        calls.run();
    }

    @Property(tries = 3_000, shrinking = ShrinkingMode.BOUNDED)
    @Tag("soak")
    void store_anyCallsForLong_isWhatTheModelIs(@ForAll("calls") ActionChain<World> calls) {
        calls.run();
    }

    @Test
    void store_eventsOfOneTimeNameTwoLinesOfAnEntry_pinWins() {
        World world = new World();
        world.record("f");
        world.foreignLine();
        world.record("f");
        world.foreignLine();
        world.compact();
        world.restore(0);
        world.amend(0, 'p');
        world.restore(1);
        world.amend(0, 'd');

        world.check();
    }

    @Provide
    Arbitrary<ActionChain<World>> calls() {
        Arbitrary<Integer> number = Arbitraries.integers().between(0, 50);
        return ActionChain.startWith(World::new)
                .withAction(3, action("record", Arbitraries.of("f", "s", "n"), World::record))
                .withAction(3, action("batch", Arbitraries.of("fsn", "nnff", "sf", "fffff"), World::record))
                .withAction(2, action("remember", Arbitraries.integers().between(1, 3), World::remember))
                .withAction(2, action("vote", number, (world, n) -> world.vote(n, "session" + n % 2)))
                .withAction(1, action("dismiss", number, (world, n) -> world.amend(n, 'd')))
                .withAction(1, action("amend", number, (world, n) -> world.amend(n, n % 2 == 0 ? 'p' : 't')))
                .withAction(1, action("supersede", number, (world, n) -> world.supersede(n, 7 * n + 1)))
                .withAction(3, plain("compact", World::compact))
                .withAction(2, action("restore", number, World::restore))
                .withAction(2, action("purge", number, World::purge))
                .withAction(
                        2,
                        action(
                                "compact until the end",
                                Arbitraries.integers().between(1, 150),
                                (world, n) -> world.compactAndEnd(n, Loss.values()[n % Loss.values().length])))
                .withAction(1, plain("flush", World::flush))
                .withAction(2, plain("reopen", World::reopen))
                .withAction(3, action("end", Arbitraries.of(Loss.class), World::end))
                .withAction(2, plain("foreign line", World::foreignLine))
                .withAction(1, plain("torn line", World::tornLine))
                .withAction(1, plain("foreign rewrite", World::foreignRewrite))
                .withMaxTransformations(25);
    }

    private interface Call<T> {
        void on(World world, T argument);
    }

    private static Action.Independent<World> plain(String name, Consumer<World> call) {
        return action(name, Arbitraries.just(""), (world, nothing) -> call.accept(world));
    }

    private static <T> Action.Independent<World> action(String name, Arbitrary<T> arguments, Call<T> call) {
        return () -> arguments.map(argument -> Transformer.mutate(name + " " + argument, world -> {
            call.on(world, argument);
            world.check();
        }));
    }
}

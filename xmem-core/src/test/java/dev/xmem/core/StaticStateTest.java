package dev.xmem.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No class keeps state in static fields, except for the table of the open locks. */
class StaticStateTest {
    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = ArchitectureTest.classesOfTheHouse();
    }

    @Test
    void staticFields_any_areFinal() {
        fields().that().areStatic().should().beFinal().check(classes);
    }

    @Test
    void staticFields_any_holdNoStateButTheOpenLocks() {
        fields().that()
                .areStatic()
                .and(DescribedPredicate.not(
                        DescribedPredicate.describe("the table of locks", StaticStateTest::isTableOfLocks)))
                .should(beOfAnImmutableType())
                .check(classes);
    }

    /** As far as a type shows it: no map, list or array that something is put into after the class is there. */
    private static ArchCondition<JavaField> beOfAnImmutableType() {
        return new ArchCondition<>("not be a collection that can change, an atomic or a thread-local") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                JavaClass type = field.getRawType();
                boolean state = type.getPackageName().startsWith("java.util.concurrent.atomic")
                        || type.isAssignableTo(ThreadLocal.class)
                        || type.isAssignableTo(ConcurrentMap.class)
                        || type.isAssignableTo(Executor.class)
                        || type.isAssignableTo(Thread.class)
                        || type.isAssignableTo(Random.class);
                events.add(new SimpleConditionEvent(field, !state, field.getFullName() + " is a " + type.getName()));
            }
        };
    }

    /** Tables are filled once, when their class is loaded: whatever a store does, they stay as they are. */
    @Test
    void staticCollections_afterAStoreWasUsed_areAsTheyWere() throws ReflectiveOperationException {
        Map<String, Object> tables = staticCollections();
        Map<String, String> before = new TreeMap<>();
        tables.forEach((name, table) -> before.put(name, String.valueOf(table)));
        try (XMemStore store = XMem.inMemory()) {
            for (int i = 0; i < 20; i++) {
                String name = "unheard-of-" + i;
                ToolCall call = ToolCall.shell(name + " --frob" + i + " sub" + i + " /a/b" + i);
                ToolError error = ToolError.exit(i, "zork" + i + "Exception: cannot frob " + i + " (EZORK" + i + ")");
                store.recordFailure(Failure.of(call, error).tags(name));
                store.recall(call, error);
                store.search(Query.words(name + " zork" + i));
            }
            store.stats().text();
            store.verify();
        }
        Map<String, String> after = new TreeMap<>();
        tables.forEach((name, table) -> after.put(name, String.valueOf(table)));
        assertThat(after).hasSizeGreaterThan(10).isEqualTo(before);
    }

    private static Map<String, Object> staticCollections() throws ReflectiveOperationException {
        Map<String, Object> found = new TreeMap<>();
        for (JavaField field : classes.stream()
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                .filter(field -> field.getRawType().isAssignableTo(Collection.class)
                        || field.getRawType().isAssignableTo(Map.class))
                .filter(field -> !isTableOfLocks(field) && !isTableOfNames(field))
                .toList()) {
            Field reflected = Class.forName(field.getOwner().getName()).getDeclaredField(field.getName());
            reflected.setAccessible(true);
            found.put(field.getFullName(), reflected.get(null));
        }
        return found;
    }

    /** Names of fields, at most 1,024: docs/adr/0112-names-of-the-line-before.md. */
    private static boolean isTableOfNames(JavaField field) {
        return field.getOwner().getName().equals("dev.xmem.core.base.json.FieldName");
    }

    private static boolean isTableOfLocks(JavaField field) {
        return field.getOwner().getName().startsWith("dev.xmem.core.base.io.InterProcessLock");
    }
}

package dev.xmem.core;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.fixtures.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The metadata of a native image: the classes that Caffeine loads by name, and the rule files. */
class NativeImageTest {
    private static final String METADATA = "/META-INF/native-image/dev.xmem/xmem-core/";
    private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"([^\"]+\\.[^\"]+)\"");
    private static final Pattern INCLUDED = Pattern.compile("\"pattern\"\\s*:\\s*\"([^\"]+)\"");

    private static String metadata(String file) throws IOException {
        try (InputStream in = NativeImageTest.class.getResourceAsStream(METADATA + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Object field(Object of, Class<?> declaring, String name) throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(name);
        field.setAccessible(true);
        return Objects.requireNonNull(field.get(of), name);
    }

    /** The field of this name, in the class or one above it. */
    private static Object field(Object of, String name) throws ReflectiveOperationException {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            try {
                return field(of, type, name);
            } catch (NoSuchFieldException e) {
                continue;
            }
        }
        throw new NoSuchFieldException(name);
    }

    @Test
    void reflectConfig_ofTheCacheInUse_namesExactlyTheClassesThatCaffeineChooses() throws Exception {
        ByteCache inUse = new ByteCache(1 << 20);
        for (int i = 0; i < 1000; i++) {
            inUse.put(i, "a value", 7);
        }
        Object cache = field(field(inUse, "cache"), "cache");
        Object node = field(cache, "nodeFactory");

        assertThat(NAME.matcher(metadata("reflect-config.json"))
                        .results()
                        .map(found -> found.group(1))
                        .filter(name -> !name.endsWith(".Caffeine") && !name.endsWith(".AsyncCacheLoader")))
                .containsExactlyInAnyOrder(
                        cache.getClass().getName(), node.getClass().getName());
        assertThat(cache.getClass().getDeclaredField("FACTORY")).isNotNull();
        assertThat(node.getClass().getDeclaredConstructor()).isNotNull();
    }

    @Test
    void resourceConfig_includesEveryRuleFile() throws Exception {
        Matcher included = INCLUDED.matcher(metadata("resource-config.json"));
        assertThat(included.find()).isTrue();
        Pattern pattern = Pattern.compile(included.group(1).replace("\\\\", "\\"));
        Path resources = Repository.root().resolve("xmem-core/src/main/resources");
        try (Stream<Path> files = Files.walk(resources.resolve("dev"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> resources.relativize(file).toString()))
                    .isNotEmpty()
                    .allMatch(file -> pattern.matcher(file).matches());
        }
    }

    /** Handles on fields of one's own, by constants in a static initialiser, need no metadata. */
    @Test
    void classes_ours_useNoReflection() {
        JavaClasses ours = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.xmem");

        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.reflect..")
                .check(ours);
        noClasses()
                .should(callMethodWhere(
                        calls("forName|getDeclared.*|getMethods?|getFields?|getConstructors?", Class.class)))
                .check(ours);
        noClasses()
                .should(callMethodWhere(
                        calls("findClass|findConstructor|findStatic|findVirtual|unreflect.*", Lookup.class)))
                .check(ours);
    }

    private static DescribedPredicate<JavaCall<?>> calls(String method, Class<?> of) {
        return target(owner(equivalentTo(of))).and(target(nameMatching(method)));
    }
}

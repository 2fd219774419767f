package dev.xmem.core;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import dev.xmem.XMemStore;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of the house, on the compiled classes of the API and the engine. */
class ArchitectureTest {
    /**
     * The rooms by floors, from the bottom up. A room may use the API, the floors below its own, and the rooms of its
     * own floor that come before it. The door, the package {@code dev.xmem.core} itself, uses them all.
     */
    private static final List<String> ROOMS = List.of(
            "base.io",
            "base.trace",
            "base.json",
            "base.concurrent",
            "base.config",
            "text.analysis",
            "text.regex",
            "text.hash",
            "text.redact",
            "store.log",
            "store.terms",
            "store.segment",
            "store.index",
            "answer.outcome",
            "answer.directive",
            "answer.lookup",
            "answer.render",
            "answer.page",
            "answer.recall",
            "answer.search",
            "write",
            "maintain.verify",
            "maintain.compact",
            "sync",
            "agent.event",
            "agent.guard",
            "agent.command");

    /**
     * Rooms that see only some of the floors below them: text depends on nothing but the API, sync on the base alone.
     */
    private static final Map<String, List<String>> NARROW =
            Map.of("text", List.of("text"), "sync", List.of("base", "sync"));

    /** The most files in {@code dev.xmem.core}, besides its {@code package-info}. */
    private static final int MOST_FILES_AT_THE_DOOR = 14;

    /** How many public types a room may have. */
    private static final int MOST_PUBLIC_TYPES = 3;

    /** The rooms that have more public types than that. A number here may be lowered, never raised. */
    private static final Map<String, Integer> MORE_PUBLIC_TYPES = Map.ofEntries(
            Map.entry("answer.outcome", 4),
            Map.entry("answer.render", 8),
            Map.entry("answer.search", 5),
            Map.entry("base.config", 7),
            Map.entry("base.io", 6),
            Map.entry("base.json", 10),
            Map.entry("store.index", 13),
            Map.entry("store.log", 5),
            Map.entry("store.segment", 20),
            Map.entry("store.terms", 8),
            Map.entry("sync", 4),
            Map.entry("text.analysis", 9),
            Map.entry("text.hash", 4));

    private static final String CORE = "dev.xmem.core";
    private static final String[] API = {"dev.xmem", "dev.xmem.spi"};
    private static final String[] EXPORTED = {"dev.xmem", "dev.xmem.spi", CORE};

    private static JavaClasses classes;
    private static JavaClasses core;

    @BeforeAll
    static void read() {
        classes = classesOfTheHouse();
        core = classes.that(resideInAnyPackage(CORE + ".."));
    }

    static JavaClasses classesOfTheHouse() {
        return new ClassFileImporter()
                .importLocations(new HashSet<>(List.of(locationOf(XMemStore.class), locationOf(XMem.class))));
    }

    /** Where a class was loaded from: a folder of classes, or a jar. */
    private static Location locationOf(Class<?> type) {
        return Location.of(type.getProtectionDomain().getCodeSource().getLocation());
    }

    private static String packageOf(String room) {
        return CORE + "." + room;
    }

    private static String floorOf(String room) {
        int dot = room.indexOf('.');
        return dot < 0 ? room : room.substring(0, dot);
    }

    static List<String> rooms() {
        return ROOMS;
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void room_uses_onlyTheApiAndRoomsBelow(String room) {
        List<String> allowed = new ArrayList<>(List.of(API));
        List<String> floors = NARROW.get(floorOf(room));
        ROOMS.subList(0, ROOMS.indexOf(room) + 1).stream()
                .filter(below -> floors == null || floors.contains(floorOf(below)))
                .forEach(below -> allowed.add(packageOf(below)));
        DescribedPredicate<JavaClass> ours = resideInAnyPackage("dev.xmem..");
        noClasses()
                .that()
                .resideInAPackage(packageOf(room))
                .should()
                .dependOnClassesThat(ours.and(resideOutsideOfPackages(allowed.toArray(String[]::new))))
                .check(classes);
    }

    @Test
    void rooms_all_standInTheList() {
        Set<String> found = new TreeSet<>();
        core.forEach(type -> found.add(type.getPackageName()));
        found.remove(CORE);
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        ROOMS.stream().map(ArchitectureTest::packageOf).toList());
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void room_publicTypes_areFew(String room) {
        long count = core.stream()
                .filter(type -> type.getPackageName().equals(packageOf(room)))
                .filter(type -> type.isTopLevelClass() && isPublic(type))
                .count();
        Integer exception = MORE_PUBLIC_TYPES.get(room);
        if (exception == null) {
            assertThat(count).isLessThanOrEqualTo(MOST_PUBLIC_TYPES);
        } else {
            assertThat(count)
                    .as("lower the exception for %s when it has fewer", room)
                    .isEqualTo(exception.longValue());
        }
    }

    @Test
    void door_files_areFew() {
        assertThat(core.stream()
                        .filter(type -> type.getPackageName().equals(CORE) && type.isTopLevelClass())
                        .filter(type -> !type.getSimpleName().equals("package-info")))
                .hasSizeLessThanOrEqualTo(MOST_FILES_AT_THE_DOOR);
    }

    /** In a stack trace and in a search result, a simple name stands for one class. */
    @Test
    void simpleNames_ofTopLevelClasses_areUnique() {
        Map<String, List<String>> byName = new TreeMap<>();
        classes.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !Set.of("package-info", "module-info").contains(type.getSimpleName()))
                .forEach(type -> byName.computeIfAbsent(type.getSimpleName(), name -> new ArrayList<>())
                        .add(type.getName()));
        assertThat(byName.values()).allSatisfy(named -> assertThat(named).hasSize(1));
    }

    @Test
    void packages_ofTheWholeHouse_haveNoCycles() {
        slices().matching("dev.xmem.core.(**)").should().beFreeOfCycles().check(core);
    }

    @Test
    void api_uses_onlyTheJdkAndJSpecify() {
        classes()
                .that()
                .resideInAnyPackage(API)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", "dev.xmem", "dev.xmem.spi")
                .check(classes);
    }

    @Test
    void exportedPackages_publicSignatures_nameOnlyTheApiAndTheJdk() {
        methodsAndConstructors().forEach(unit -> {
            List<JavaClass> named = new ArrayList<>(unit.getRawParameterTypes());
            named.add(unit.getRawReturnType());
            named.addAll(unit.getExceptionTypes());
            unit.getReturnType().getAllInvolvedRawTypes().forEach(named::add);
            unit.getParameterTypes().forEach(type -> named.addAll(type.getAllInvolvedRawTypes()));
            assertThat(named).as(unit.getFullName()).allMatch(ArchitectureTest::mayStandInASignature);
        });
    }

    private static Stream<JavaCodeUnit> methodsAndConstructors() {
        return classes.that(resideInAnyPackage(EXPORTED)).stream()
                .filter(ArchitectureTest::isPublic)
                .flatMap(type -> type.getCodeUnits().stream())
                .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC)
                        || unit.getModifiers().contains(JavaModifier.PROTECTED));
    }

    /** Public, and so is every class around it. */
    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    private static boolean mayStandInASignature(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return base.isPrimitive()
                || base.getPackageName().startsWith("java.")
                || Arrays.asList(EXPORTED).contains(base.getPackageName()) && isPublic(base);
    }

    @Test
    void core_any_doesNotPrintLogToFilesNetworkOrStartProcesses() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "java.net..", "javax..", "sun..", "com.sun..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(ProcessBuilder.class, Process.class)
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(classes);
    }

    @Test
    void core_any_readsNoSwitchesOfTheMachine() {
        noClasses()
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "reads a property or a variable of the environment",
                        call -> call.getTargetOwner().isEquivalentTo(System.class)
                                        && Set.of("getProperty", "getProperties", "getenv", "setProperty", "exit")
                                                .contains(call.getName())
                                        && !isTableOfParkedChannels(call)
                                || call.getTargetOwner().isEquivalentTo(Runtime.class)
                                        && Set.of("exec", "addShutdownHook", "halt", "exit")
                                                .contains(call.getName())
                                || call.getTargetOwner().isEquivalentTo(Integer.class)
                                        && call.getName().equals("getInteger")
                                || call.getTargetOwner().isEquivalentTo(Boolean.class)
                                        && call.getName().equals("getBoolean")))
                .check(classes);
    }

    /** The map of the properties is where class loaders share open channels: docs/adr/0057-parked-channels.md. */
    private static boolean isTableOfParkedChannels(JavaMethodCall call) {
        return call.getOriginOwner().getName().equals("dev.xmem.core.base.io.ParkedChannels")
                && call.getName().equals("getProperties");
    }

    @Test
    void methods_any_areNotSynchronized() {
        methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED).check(classes);
    }

    @Test
    void names_any_sayWhatAThingIs() {
        noClasses()
                .should()
                .haveNameMatching(".*[.$](Abstract|Base)[A-Z]\\w*")
                .orShould()
                .haveNameMatching(".*(Impl|Utils?|Helpers?|Manager)")
                .orShould()
                .resideInAnyPackage("..util..", "..common..", "..helper..", "..impl..", "..manager..")
                .check(classes);
    }

    @Test
    void classes_ofTheRooms_areFinalUnlessTheyAreInterfaces() {
        classes()
                .that()
                .resideInAPackage(CORE + "..")
                .and()
                .areTopLevelClasses()
                .and()
                .areNotInterfaces()
                .and()
                .doNotHaveSimpleName("package-info")
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(classes);
    }

    @Test
    void jackson_isKnown_onlyToTheRoomsThatReadAndWriteJson() {
        noClasses()
                .that(resideOutsideOfPackages(CORE + ".base.json", CORE + ".store.index"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .check(classes);
    }

    @Test
    void caffeine_isKnown_onlyToTheCache() {
        noClasses()
                .that(resideOutsideOfPackages(CORE + ".base.io"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.github.benmanes..")
                .check(classes);
    }

    @Test
    void files_areTouched_onlyThroughTheSeam() {
        noClasses()
                .that(resideOutsideOfPackages(CORE + ".base.io"))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Files.class,
                        File.class,
                        RandomAccessFile.class,
                        FileOutputStream.class,
                        FileInputStream.class,
                        FileChannel.class)
                .check(classes);
    }

    @Test
    void classes_read_areAllThatThereAre() {
        assertThat(classes.contain("dev.xmem.XMemStore")).isTrue();
        assertThat(classes.contain(CORE + ".XMem")).isTrue();
        assertThat(classes.that(alwaysTrue())).hasSizeGreaterThan(150);
        assertThat(classes.stream().map(JavaClass::getName)).noneMatch(name -> name.endsWith("Test"));
    }
}

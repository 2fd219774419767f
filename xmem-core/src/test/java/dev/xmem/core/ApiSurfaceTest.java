package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Repository;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API as text, one line per member: {@code docs/apidiff/api.txt}. After an intended change, run the test
 * once with {@code -Dxmem.api.write=true} and commit the changed text.
 */
class ApiSurfaceTest {
    private static final String WRITE = "xmem.api.write";

    @Test
    void surface_ofTheExportedPackages_isAsCommitted() throws Exception {
        List<String> lines = new ArrayList<>();
        lines.addAll(surface(XMemStore.class, "dev.xmem"));
        lines.addAll(surface(XMemStore.class, "dev.xmem.spi"));
        lines.addAll(surface(XMem.class, "dev.xmem.core"));
        String text = String.join("\n", lines) + "\n";
        Path file = Repository.root().resolve("docs/apidiff/api.txt");
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        String committed = Files.exists(file) ? Files.readString(file) : "";
        assertThat(difference(committed, text))
                .as(
                        "the public surface differs from docs/apidiff/api.txt. If that is meant: ./mvnw verify -pl xmem-core"
                                + " -am -Dtest=ApiSurfaceTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=true, then"
                                + " look at the difference and commit it",
                        WRITE)
                .isEmpty();
        assertThat(text).isEqualTo(committed);
    }

    /** The removed and the added members. */
    private static List<String> difference(String committed, String now) {
        List<String> before = committed.lines().toList();
        List<String> after = now.lines().toList();
        Stream<String> gone =
                before.stream().filter(line -> !after.contains(line)).map(line -> "- " + line);
        Stream<String> added =
                after.stream().filter(line -> !before.contains(line)).map(line -> "+ " + line);
        return Stream.concat(gone, added).toList();
    }

    private static List<String> surface(Class<?> oneOfThem, String packageName) throws Exception {
        List<String> lines = new ArrayList<>();
        for (String name : classNames(oneOfThem, packageName)) {
            Class<?> type = Class.forName(name, false, oneOfThem.getClassLoader());
            if (isVisible(type)) {
                lines.add(heading(type));
                members(type).forEach(member -> lines.add("    " + member));
                lines.add("");
            }
        }
        return lines;
    }

    /** The classes of a package, from the folder or the jar that one of them was loaded from. */
    private static TreeSet<String> classNames(Class<?> oneOfThem, String packageName) throws Exception {
        Path place = Path.of(
                oneOfThem.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            return classNames(place.resolve(packageName.replace('.', '/')), packageName);
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return classNames(jar.getPath(packageName.replace('.', '/')), packageName);
        }
    }

    private static TreeSet<String> classNames(Path folder, String packageName) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .map(name -> packageName + "." + name.substring(0, name.length() - ".class".length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> around = type.getEnclosingClass();
        return isVisible(type.getModifiers()) && !type.isAnonymousClass() && (around == null || isVisible(around));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String heading(Class<?> type) {
        String kind = type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        StringJoiner line = new StringJoiner(" ");
        boolean plain = type.isInterface() || type.isEnum() || type.isRecord();
        String modifiers = Modifier.toString(type.getModifiers()
                & ~(plain ? Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL | Modifier.INTERFACE : 0));
        line.add(modifiers);
        line.add((type.isSealed() ? "sealed " : "") + kind);
        line.add(type.getName() + (type.isRecord() ? components(type) : ""));
        if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class && !plain) {
            line.add("extends " + name(type.getGenericSuperclass()));
        }
        Type[] interfaces = type.getGenericInterfaces();
        if (interfaces.length > 0) {
            line.add((type.isInterface() ? "extends " : "implements ") + names(interfaces));
        }
        if (type.isSealed()) {
            line.add("permits " + names(type.getPermittedSubclasses()));
        }
        return line.toString();
    }

    private static String components(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> annotated(component.getAnnotatedType()) + " " + component.getName())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static TreeSet<String> members(Class<?> type) {
        TreeSet<String> members = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
                String modifiers = field.isEnumConstant() ? "constant" : Modifier.toString(field.getModifiers());
                String typeName = field.isEnumConstant() ? "" : annotated(field.getAnnotatedType()) + " ";
                members.add(modifiers + " " + typeName + field.getName());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isVisible(constructor.getModifiers()) && !constructor.isSynthetic() && !type.isRecord()) {
                members.add(Modifier.toString(constructor.getModifiers()) + " new" + parameters(constructor));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isVisible(method.getModifiers()) && !method.isSynthetic() && !comesWithTheKind(type, method)) {
                members.add(modifiers(type, method) + annotated(method.getAnnotatedReturnType()) + " "
                        + method.getName() + parameters(method));
            }
        }
        return members;
    }

    /** What the compiler gives every enum and record. */
    private static boolean comesWithTheKind(Class<?> type, Method method) {
        String name = method.getName();
        boolean ofEnum = type.isEnum() && (name.equals("values") || name.equals("valueOf"));
        boolean ofObject = List.of("equals", "hashCode", "toString").contains(name);
        boolean ofRecord = type.isRecord()
                && (ofObject
                        || Arrays.stream(type.getRecordComponents())
                                .map(RecordComponent::getAccessor)
                                .anyMatch(method::equals));
        return ofEnum || ofRecord;
    }

    private static String modifiers(Class<?> type, Method method) {
        if (method.isDefault()) {
            return "public default ";
        }
        int hidden = type.isInterface() ? Modifier.ABSTRACT : 0;
        return Modifier.toString(method.getModifiers() & Modifier.methodModifiers() & ~hidden & ~Modifier.FINAL) + " ";
    }

    private static String parameters(Executable executable) {
        List<String> types = new ArrayList<>();
        for (AnnotatedType parameter : executable.getAnnotatedParameterTypes()) {
            types.add(annotated(parameter));
        }
        String list = "(" + String.join(", ", types) + ")";
        list = executable.isVarArgs() ? list.replaceFirst("\\[\\]\\)$", "...)") : list;
        Type[] exceptions = executable.getGenericExceptionTypes();
        return exceptions.length == 0 ? list : list + " throws " + names(exceptions);
    }

    /** A type, and whether it may be null. */
    private static String annotated(AnnotatedType type) {
        boolean nullable = Arrays.stream(type.getAnnotations())
                .anyMatch(a -> a.annotationType().getSimpleName().equals("Nullable"));
        return name(type.getType()) + (nullable ? "?" : "");
    }

    private static String names(Type... types) {
        return Arrays.stream(types).map(ApiSurfaceTest::name).collect(Collectors.joining(", "));
    }

    /** Short where the package is one that everybody knows. */
    private static String name(Type type) {
        return Objects.requireNonNull(type)
                .getTypeName()
                .replaceAll("\\bjava\\.(?:lang|util|time|nio\\.file|io|util\\.function)\\.(?=[A-Z])", "")
                .replaceAll("\\bdev\\.xmem\\.(?:spi\\.|core\\.)?(?=[A-Z])", "");
    }
}

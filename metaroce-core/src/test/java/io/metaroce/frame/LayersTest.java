package io.metaroce.frame;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.metaroce.num.Serial32;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The arrows of {@code docs/architecture.md}, checked on the compiled core and on the imports of the other modules. */
class LayersTest {
    private static final String ROOT_PACKAGE = "io.metaroce.";
    private static final JavaClasses CORE = importCore();

    private static final Set<String> FLOATING =
            Set.of("float", "double", "java.lang.Float", "java.lang.Double", "[D", "[F", "[[D", "[[F");
    private static final Set<String> HASH_ORDERED =
            Set.of("java.util.HashMap", "java.util.HashSet", "java.util.IdentityHashMap", "java.util.WeakHashMap");
    private static final Set<String> HASH_ORDERED_FACTORIES = Set.of(
            "java.util.Set.of",
            "java.util.Set.copyOf",
            "java.util.Map.of",
            "java.util.Map.copyOf",
            "java.util.Map.ofEntries",
            "java.util.stream.Collectors.toSet",
            "java.util.stream.Collectors.toMap");
    private static final Set<String> AMBIENT_CLASSES = Set.of(
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.lang.Runtime",
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.UUID",
            "java.util.Timer",
            "java.util.Date",
            "java.util.Calendar",
            "java.security.SecureRandom");
    private static final Set<String> AMBIENT_CALLS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.getProperty",
            "java.lang.System.getenv",
            "java.lang.Math.random",
            "java.lang.System.identityHashCode",
            "java.util.Locale.getDefault",
            "java.nio.charset.Charset.defaultCharset");
    private static final Pattern BAD_NAME =
            Pattern.compile("(Manager|Helper|Utils?|Context|Impl)$|^Abstract\\p{Upper}");
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?io\\.metaroce\\.([a-z]+)\\.(?:[a-z]+\\.)*([A-Z]\\w*)");

    @Test
    void theWholeCoreIsSeen() {
        Set<String> seen = new TreeSet<>();
        CORE.forEach(type -> seen.add(outermostSimpleName(type.getName())));
        List<String> unseen = Repository.sources("main").stream()
                .map(Repository::name)
                .filter(name -> name.startsWith("metaroce-core/") && !name.endsWith("-info.java"))
                .map(name -> name.substring(name.lastIndexOf('/') + 1).replace(".java", ""))
                .filter(name -> !seen.contains(name))
                .toList();
        assertThat(unseen)
                .as("a rule over classes nobody looked at proves nothing")
                .isEmpty();
    }

    @Test
    void arrowsNeverClimb() {
        List<String> found = new ArrayList<>();
        for (JavaClass type : CORE) {
            Room room = Room.CORE.get(roomOf(type.getName()));
            if (room == null) {
                found.add(type.getName() + " lies in a room that the table of Room does not know");
                continue;
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (!isAllowed(room, target)) {
                    found.add(room.name() + " must not use " + target.getName() + ": " + dependency.getDescription());
                }
            }
        }
        assertThat(found)
                .as("a lower room never imports a higher one; where it must call up it declares a port")
                .isEmpty();
    }

    @Test
    void roomsHaveNoCycles() {
        slices().matching("io.metaroce.(*)..")
                .should()
                .beFreeOfCycles()
                .because("a room that needs the room which needs it is one room")
                .check(CORE);
    }

    @Test
    void otherModulesImportOnlyWhatTheTableAllows() {
        List<String> found = new ArrayList<>();
        for (Path source : Repository.sources("main")) {
            String name = Repository.name(source);
            Room room = Room.OTHERS.get(
                    roomOf(name.replaceAll("^.*/src/main/java/", "").replace('/', '.')));
            if (name.startsWith("metaroce-core/") || room == null) {
                continue;
            }
            for (String line : Repository.lines(source)) {
                Matcher matcher = IMPORT.matcher(line);
                if (matcher.find() && !room.mayImport(matcher.group(1), matcher.group(2))) {
                    found.add(name + ": " + line);
                }
            }
        }
        assertThat(found)
                .as("verbs never sees udp or sim; only tools, benchmarks and tests depend on sim")
                .isEmpty();
    }

    @Test
    void nothingFloatsInCore() {
        List<String> found = new ArrayList<>();
        for (JavaClass type : CORE) {
            for (JavaField field : type.getFields()) {
                if (FLOATING.contains(field.getRawType().getName())) {
                    found.add(field.getFullName());
                }
            }
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                boolean takes = unit.getRawParameterTypes().stream().anyMatch(t -> FLOATING.contains(t.getName()));
                if (takes || FLOATING.contains(unit.getRawReturnType().getName())) {
                    found.add(unit.getFullName());
                }
            }
        }
        assertThat(found)
                .as("integers give the same answer on every machine, and hardware has no others")
                .isEmpty();
    }

    @Test
    void coreAsksNobodyForTimeThreadsOrChance() {
        List<String> found = new ArrayList<>();
        for (JavaClass type : CORE) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target =
                        dependency.getTargetClass().getBaseComponentType().getName();
                boolean isLock = target.startsWith("java.util.concurrent.")
                        && !target.startsWith("java.util.concurrent.atomic.");
                boolean isClock = target.startsWith("java.time.") && !target.equals("java.time.Duration");
                if (AMBIENT_CLASSES.contains(target) || isLock || isClock || target.startsWith("java.net.")) {
                    found.add(dependency.getDescription());
                }
            }
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                if (AMBIENT_CALLS.contains(nameOf(call)) || usesDefaultCharset(call) || usesDefaultLocale(call)) {
                    found.add(call.getDescription());
                }
            }
        }
        assertThat(found)
                .as("time and randomness are arguments, so that a run can be repeated bit for bit")
                .isEmpty();
    }

    @Test
    void coreHoldsNoHashOrderedCollections() {
        List<String> found = new ArrayList<>();
        for (JavaClass type : CORE) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                if (HASH_ORDERED.contains(dependency.getTargetClass().getName())) {
                    found.add(dependency.getDescription());
                }
            }
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                if (HASH_ORDERED_FACTORIES.contains(nameOf(call))) {
                    found.add(call.getDescription());
                }
            }
        }
        assertThat(found)
                .as("their order differs between runs and machines; arrays and ordered maps do not")
                .isEmpty();
    }

    @Test
    void onlyTheQueueRoomIsConcurrent() {
        List<String> found = new ArrayList<>();
        for (JavaClass type : CORE) {
            if (roomOf(type.getName()).equals("queue") || type.getName().equals("io.metaroce.trace.Counters")) {
                continue;
            }
            for (JavaField field : type.getFields()) {
                if (field.getModifiers().contains(JavaModifier.VOLATILE)) {
                    found.add(field.getFullName() + " is volatile");
                }
            }
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                if (unit.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
                    found.add(unit.getFullName() + " is synchronized");
                }
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target = dependency.getTargetClass().getName();
                if (target.startsWith("java.util.concurrent.atomic.") || target.equals("java.lang.invoke.VarHandle")) {
                    found.add(dependency.getDescription());
                }
            }
        }
        assertThat(found)
                .as("an endpoint belongs to one thread; the border to other threads is one room, tested as such")
                .isEmpty();
    }

    @Test
    void namesSayWhatAThingIs() {
        List<String> found = new ArrayList<>();
        for (JavaClass type : CORE) {
            if (BAD_NAME.matcher(type.getSimpleName()).find()) {
                found.add(type.getName());
            }
        }
        assertThat(found).as("such a name admits every responsibility").isEmpty();
    }

    @Test
    void classesOfTheProtocolRoomsAreFinal() {
        Set<String> rooms = Set.of("path", "rate", "connection", "message");
        List<String> found = new ArrayList<>();
        for (JavaClass type : CORE) {
            boolean isOpen = !type.isInterface()
                    && !type.isEnum()
                    && !type.isAnnotation()
                    && !type.isAnonymousClass()
                    && !type.getModifiers().contains(JavaModifier.FINAL);
            boolean isConstantBody =
                    type.getEnclosingClass().map(JavaClass::isEnum).orElse(false);
            if (rooms.contains(roomOf(type.getName())) && isOpen && !isConstantBody) {
                found.add(type.getName());
            }
        }
        assertThat(found)
                .as("variants are policies behind ports, or parameters; nothing is inherited")
                .isEmpty();
    }

    @Test
    void innerRoomsStayInside() {
        Path moduleInfo = Repository.ROOT.resolve("metaroce-core/src/main/java/module-info.java");
        if (!Files.exists(moduleInfo)) {
            return;
        }
        Set<String> exported = new TreeSet<>();
        Matcher matcher = Pattern.compile("exports\\s+io\\.metaroce\\.([a-z.]+)\\s*(to\\s)?")
                .matcher(Repository.text(moduleInfo));
        while (matcher.find()) {
            if (matcher.group(2) == null) {
                exported.add(matcher.group(1));
            }
        }
        assertThat(exported)
                .as("the protocol rooms are nobody's interface; what they offer is offered by engine")
                .doesNotContain("state", "path", "rate", "connection", "message");
    }

    private static boolean isAllowed(Room room, JavaClass target) {
        String name = target.getName();
        if (target.isPrimitive()) {
            return true;
        }
        if (name.startsWith(ROOT_PACKAGE)) {
            return room.mayImport(roomOf(name), outermostSimpleName(name));
        }
        boolean isCompilersOwn = name.startsWith("java.lang.invoke.") && !name.equals("java.lang.invoke.VarHandle");
        return isCompilersOwn || name.startsWith("java.lang.runtime.") || room.mayUse(name, target.getPackageName());
    }

    private static String roomOf(String className) {
        String rest = className.substring(ROOT_PACKAGE.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? "" : rest.substring(0, dot);
    }

    private static String outermostSimpleName(String className) {
        String simple = className.substring(className.lastIndexOf('.') + 1);
        int dollar = simple.indexOf('$');
        return dollar < 0 ? simple : simple.substring(0, dollar);
    }

    private static String nameOf(JavaMethodCall call) {
        return call.getTargetOwner().getName() + "." + call.getName();
    }

    private static boolean usesDefaultCharset(JavaMethodCall call) {
        return nameOf(call).equals("java.lang.String.getBytes")
                && call.getTarget().getRawParameterTypes().isEmpty();
    }

    private static boolean usesDefaultLocale(JavaMethodCall call) {
        boolean isLocal = Set.of("format", "toUpperCase", "toLowerCase").contains(call.getName());
        return isLocal
                && call.getTargetOwner().getName().equals("java.lang.String")
                && call.getTarget().getRawParameterTypes().stream()
                        .noneMatch(type -> type.getName().equals("java.util.Locale"));
    }

    /** Main classes only: whatever has no source file in the main folder is a test. */
    private static JavaClasses importCore() {
        Path sources = Repository.ROOT.resolve("metaroce-core/src/main/java");
        DescribedPredicate<JavaClass> isMain = DescribedPredicate.describe("main class", type -> {
            String folder = type.getPackageName().replace('.', '/');
            String file = type.getSource().flatMap(s -> s.getFileName()).orElse("none");
            return type.getName().startsWith(ROOT_PACKAGE)
                    && Files.exists(sources.resolve(folder).resolve(file));
        });
        return new ClassFileImporter().importPath(classesOfCore()).that(isMain);
    }

    private static Path classesOfCore() {
        try {
            return Path.of(Serial32.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.metaroce.compliance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The tester shares no codec and no state machine with what it tests. */
class IndependenceTest {
    private static final JavaClasses SUITE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.metaroce.compliance");

    @Test
    void onlyTheAdapterKnowsTheEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.metaroce.compliance.adapter..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.metaroce.num..",
                        "io.metaroce.wire..",
                        "io.metaroce.state..",
                        "io.metaroce.path..",
                        "io.metaroce.rate..",
                        "io.metaroce.connection..",
                        "io.metaroce.message..",
                        "io.metaroce.engine..",
                        "io.metaroce.sim..",
                        "io.metaroce.memory..",
                        "io.metaroce.queue..",
                        "io.metaroce.param..",
                        "io.metaroce.datagram..",
                        "io.metaroce.trace..",
                        "io.metaroce.udp..",
                        "io.metaroce.verbs..")
                .because("a mistake that both share is seen by neither")
                .check(SUITE);
    }

    @Test
    void nobodyUsesTheCodecOfTheEngine() {
        noClasses()
                .that()
                .resideInAPackage("io.metaroce.compliance..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.metaroce.wire..")
                .because("the suite reads packets with a codec of its own")
                .check(SUITE);
    }
}

package org.sluiceca.hsm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The module's boundaries (docs/ARCHITECTURE.md section 2). */
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.sluiceca.hsm");

  @Test
  void wrapperLibrary_outsidePkcs11_unknown() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.sluiceca.hsm.pkcs11")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("iaik..", "sun..", "java.lang.foreign..")
        .check(MAIN);
  }

  /** Each package by itself, the root and those below another included. */
  @Test
  void packages_haveNoCycles() {
    cycleRule().check(MAIN);
  }

  @Test
  void packages_plantedParentAndChildThatKnowEachOther_found() {
    JavaClasses planted = new ClassFileImporter().importPackages("org.sluiceca.planted");

    assertThat(cycleRule().evaluate(planted).hasViolation()).isTrue();
  }

  private static ArchRule cycleRule() {
    return slices().matching("org.sluiceca.(**)").should().beFreeOfCycles();
  }

  /** The module's public face: values and interfaces. */
  @Test
  void root_knowsNothingBelow() {
    noClasses()
        .that()
        .resideInAPackage("org.sluiceca.hsm")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.sluiceca.hsm.*..")
        .check(MAIN);
  }

  @Test
  void threads_outsideSessionsIsolationAndKeepers_neverCreated() {
    noClasses()
        .that()
        .resideOutsideOfPackages("org.sluiceca.hsm.session", "org.sluiceca.hsm.isolate..")
        .and()
        .doNotHaveFullyQualifiedName("org.sluiceca.hsm.ceremony.Load")
        .and()
        .doNotHaveSimpleName("TokenKeeper")
        .should()
        .callMethod(Thread.class, "ofPlatform")
        .orShould()
        .callMethod(Thread.class, "ofVirtual")
        .orShould()
        .callMethod(Thread.class, "startVirtualThread", Runnable.class)
        .orShould()
        .callConstructorWhere(
            DescribedPredicate.describe(
                "constructs a Thread", call -> isThread(call.getTargetOwner())))
        .orShould()
        .dependOnClassesThat()
        .haveSimpleName("Executors")
        .check(MAIN);
  }

  @Test
  void routersClockAndLocks_unknown() {
    noClasses()
        .that()
        .haveSimpleName("Router")
        .or()
        .haveSimpleName("Candidate")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.lang\\.(System|Thread)|java\\.util\\.concurrent\\.locks\\..*")
        .check(MAIN);
  }

  @Test
  void route_modulesAndSessions_unknown() {
    noClasses()
        .that()
        .resideInAPackage("org.sluiceca.hsm.route")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.sluiceca.hsm.lane..", "org.sluiceca.hsm.pkcs11..")
        .check(MAIN);
  }

  @Test
  void lanesPureMachine_threadsClockAndLocks_unknown() {
    noClasses()
        .that()
        .haveSimpleName("LaneState")
        .or()
        .haveSimpleName("ServiceTimes")
        .or()
        .resideInAnyPackage("org.sluiceca.hsm.limit..", "org.sluiceca.hsm.queue")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.lang\\.(System|Thread)|java\\.util\\.concurrent\\..*")
        .check(MAIN);
  }

  private static boolean isThread(JavaClass owner) {
    return owner.isAssignableTo(Thread.class);
  }
}

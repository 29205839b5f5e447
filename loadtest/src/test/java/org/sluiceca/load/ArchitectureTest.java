package org.sluiceca.load;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The boundaries of the load tool hold, and the rule about them can fail. */
class ArchitectureTest {

  /** Each package by itself, the root and those below another included. */
  @Test
  void packages_haveNoCycles() {
    cycleRule()
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("org.sluiceca.load"));
  }

  @Test
  void packages_plantedParentAndChildThatKnowEachOther_found() {
    JavaClasses planted = new ClassFileImporter().importPackages("org.sluiceca.planted");

    assertThat(cycleRule().evaluate(planted).hasViolation()).isTrue();
  }

  private static ArchRule cycleRule() {
    return slices().matching("org.sluiceca.(**)").should().beFreeOfCycles();
  }
}

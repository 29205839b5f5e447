package org.sluiceca.load.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FramesTest {

  private static final String NEW_ORDER = "org.sluiceca.api.acme.AcmeController.newOrder";
  private static final String SIGNED = "org.sluiceca.api.acme.AcmeController.signed";
  private static final String LAMBDA = "org.sluiceca.api.acme.AcmeController.lambda$newOrder$3";
  private static final String TOMCAT = "org.apache.coyote.http11.Http11Processor.service";

  @Test
  void part_jdkInsideLibraryInsideOurs_isTheLibrary() {
    assertThat(
            Frames.part(
                List.of(
                    "java.util.HashMap.get", "org.postgresql.jdbc.PgStatement.execute", SIGNED)))
        .isEqualTo("database driver and pool");
  }

  @Test
  void part_ours_isThePackage() {
    assertThat(
            Frames.part(
                List.of(
                    "java.util.HashMap.get", "org.sluiceca.core.verify.Wnaf.add", SIGNED, TOMCAT)))
        .isEqualTo("Sluice: core/verify");
    assertThat(Frames.part(List.of(SIGNED, TOMCAT))).isEqualTo("Sluice: acme");
  }

  @Test
  void part_jdkAlone_isTheJdk() {
    assertThat(Frames.part(List.of("java.lang.Object.wait", "java.lang.Thread.run")))
        .isEqualTo("JDK");
  }

  @Test
  void request_methodsInsideTheController_isTheOutermostNamed() {
    assertThat(Frames.request(List.of("java.util.HashMap.get", LAMBDA, SIGNED, NEW_ORDER, TOMCAT)))
        .isEqualTo("newOrder");
  }

  @Test
  void request_noController_distinguishesConnectionsFromOthers() {
    assertThat(Frames.request(List.of("java.util.HashMap.get", TOMCAT))).isEqualTo(Frames.BEFORE);
    assertThat(Frames.request(List.of("java.util.HashMap.get"))).isEqualTo(Frames.OTHER);
  }
}

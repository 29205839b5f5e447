package org.sluiceca.load.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.plan.NodePlan;

class IssuerProfilesTest {

  private static final Path SHIPPED =
      Path.of(System.getProperty("basedir", ""), "../ca-api/src/main/resources/profiles");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void write_shippedProfilesAndOneMoreForEachIssuer() throws IOException {
    List<NodePlan.Issuer> issuers =
        List.of(new NodePlan.Issuer("rsa", "rsa-4096"), new NodePlan.Issuer("odd", "ed25519"));

    Path written = IssuerProfiles.write(SHIPPED, folder, issuers);

    assertThat(IssuerProfiles.upOption(issuers)).isEqualTo("rsa=rsa-4096,odd=ed25519");
    assertThat(written.resolve("sub-ca.yaml"))
        .hasSameTextualContentAs(SHIPPED.resolve("sub-ca.yaml"));
    List<String> model = Files.readAllLines(SHIPPED.resolve("tls-server.yaml"));
    List<String> rsa = Files.readAllLines(written.resolve("rsa.yaml"));
    assertThat(rsa).hasSameSizeAs(model).contains("name: rsa", "issuer: rsa");
    assertThat(model).doesNotContainAnyElementsOf(List.of("name: rsa", "issuer: rsa"));
    assertThat(rsa.stream().filter(line -> !model.contains(line))).hasSize(2);
  }

  @Test
  void write_issuerCalledAsAShippedProfile_refused() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(
            () ->
                IssuerProfiles.write(
                    SHIPPED, folder, List.of(new NodePlan.Issuer("device", "rsa-4096"))));
  }
}

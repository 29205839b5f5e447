package org.sluiceca.api.cli.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.cli.ceremony.CeremonyCommand;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.GeneralName;
import picocli.CommandLine;

/** The pages on migration: their profiles issue, and the ceremony has their steps and options. */
class MigrationPagesTest {

  private static final Path PAGES = Path.of("..", "docs", "migration");
  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");
  private static final Pattern STEP = Pattern.compile("sluice ceremony ([^`\n]*)");
  private static final SoftwareKey KEY = SoftwareKey.named("rsa-3072");

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      return files.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"STEP-CA.md", "VAULT.md", "ADCS.md"})
  void profile_namesOfTheDomain_issuedAndNoOthers(String page) throws Exception {
    Matcher block = YAML.matcher(Files.readString(PAGES.resolve(page)));
    assertThat(block.find()).isTrue();
    CertificateProfile profile =
        ProfileFiles.parse(page, block.group(1).getBytes(StandardCharsets.UTF_8));

    TbsCertificate issued = planned(profile, csr("www.example.com"));

    assertThat(
            CsrReader.subjectAltNames(
                issued.extension(ExtensionOids.SUBJECT_ALT_NAME).orElseThrow()))
        .containsExactly(new GeneralName.Dns("www.example.com"));
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> planned(profile, csr("www.example.org")));
    assertThat(block.find()).as("another profile, which is not tried").isFalse();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void steps_ofTheCeremony_existWithTheirOptions(Path page) throws IOException {
    assertThat(faults(Files.readString(page))).isEmpty();
  }

  @Test
  void steps_thatAreNot_areFound() {
    assertThat(
            faults(
                """
                `./sluice ceremony instal --name a`
                ./sluice ceremony install --name a \\
                  --certificates b
                """))
        .containsExactly("no step instal", "install has no --certificates");
  }

  private static List<String> faults(String page) {
    List<String> faults = new ArrayList<>();
    Matcher step = STEP.matcher(page.replaceAll("\\\\\n *", " "));
    while (step.find()) {
      List<String> words = List.of(step.group(1).strip().split("\\s+"));
      CommandLine command = CeremonyCommand.commandLine();
      for (String word : words) {
        if (command.getSubcommands().containsKey(word)) {
          command = Objects.requireNonNull(command.getSubcommands().get(word));
        } else if (command.getParent() == null) {
          faults.add("no step " + word);
          break;
        } else if (word.startsWith("--") && command.getCommandSpec().findOption(word) == null) {
          faults.add(command.getCommandName() + " has no " + word);
        }
      }
    }
    return faults;
  }

  private static CsrDer csr(String name) {
    return CsrFixture.host(name, name).signedBy(KEY);
  }

  private static TbsCertificate planned(CertificateProfile profile, CsrDer csr) throws Exception {
    return CertificateReader.read(
        new AcceptLine(profile, Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")))
            .plan(csr)
            .tbsCertificate());
  }
}

package org.sluiceca.api.acme.endpoint.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.EndpointFiles;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.version.EndpointResolution.Judged;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;

/** Which version is served, and which one may be. */
class EndpointResolutionTest {

  private static final String STORED =
      """
      name: web
      protocol: acme
      version: 2
      profiles: [tls-server]
      external-account-binding: none
      requester: acme-web
      challenges:
        methods: [http-01]
        names: ["*.corp.example"]
      """;

  @TempDir private Path folder;

  private static AcmeEndpoint endpoint(String name, int version) {
    return EndpointFiles.parse(
        octets(STORED.replace("web\n", name + "\n").replace("2", version + "")));
  }

  private static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Judged active(String name, OptionalInt version, Optional<AcmeEndpoint> endpoint) {
    return new Judged(
        new EndpointActivation(
            1, new EndpointName(name), version, new RequesterId("admin"), Instant.EPOCH),
        endpoint,
        endpoint.isEmpty() ? "no good file" : "");
  }

  private static EndpointResolution resolve(List<AcmeEndpoint> files, Judged... active) {
    return EndpointResolution.of(files, List.of(active), endpoint -> Optional.empty());
  }

  @Test
  void of_nothingActivated_theFiles() {
    EndpointResolution resolution = resolve(List.of(endpoint("a", 1), endpoint("b", 1)));

    assertThat(resolution.served()).containsExactly(endpoint("a", 1), endpoint("b", 1));
    assertThat(resolution.stored()).isEmpty();
    assertThat(resolution.refused()).isEmpty();
  }

  @Test
  void of_activeVersion_beforeTheFileOfItsName() {
    EndpointResolution resolution =
        resolve(
            List.of(endpoint("a", 1), endpoint("b", 1)),
            active("a", OptionalInt.of(3), Optional.of(endpoint("a", 3))),
            active("c", OptionalInt.of(1), Optional.of(endpoint("c", 1))));

    assertThat(resolution.served())
        .containsExactly(endpoint("a", 3), endpoint("b", 1), endpoint("c", 1));
    assertThat(resolution.stored()).containsExactly("a", "c");
  }

  @Test
  void of_backToTheFile_fileOrNothing() {
    EndpointResolution resolution =
        resolve(
            List.of(endpoint("a", 1)),
            active("a", OptionalInt.empty(), Optional.empty()),
            active("c", OptionalInt.empty(), Optional.empty()));

    assertThat(resolution.served()).containsExactly(endpoint("a", 1));
    assertThat(resolution.refused()).isEmpty();
  }

  /** The worst: the file, or an older version, is served in place of what was activated. */
  @Test
  void of_refusedVersion_outOfServiceAlsoWhereThereIsAFile() {
    EndpointResolution bad =
        resolve(List.of(endpoint("a", 1)), active("a", OptionalInt.of(2), Optional.empty()));
    assertThat(bad.served()).isEmpty();
    assertThat(bad.stored()).isEmpty();
    assertThat(bad.refused()).containsEntry("a", "no good file");

    EndpointResolution unavailable =
        EndpointResolution.of(
            List.of(endpoint("a", 1)),
            List.of(active("a", OptionalInt.of(2), Optional.of(endpoint("a", 2)))),
            endpoint -> Optional.of("its profile is gone"));
    assertThat(unavailable.served()).isEmpty();
    assertThat(unavailable.refused()).containsEntry("a", "its profile is gone");
  }

  private static EndpointRules rules(EndpointFiles files) {
    return new EndpointRules(files, profile -> profile.value().equals("tls-server"), true);
  }

  @Test
  void read_good_isTakenWhereItsProfilesIssue() {
    EndpointRules rules = rules(EndpointFiles.none());

    assertThat(rules.unavailable(rules.read(octets(STORED)))).isEmpty();
    assertThat(rules.unavailable(rules.read(octets(STORED.replace("tls-server", "gone")))))
        .hasValueSatisfying(fault -> assertThat(fault).contains("profile gone"));
  }

  @ParameterizedTest
  @CsvSource({
    "version: 2, '', must state its version",
    "version: 2, version: 0, 1 to 1000000",
    "protocol: acme, 'protocol: acme\nany-name: true', any-name",
    "methods: [http-01], 'methods: [http-01]\n  addresses: trial', files of a trial",
    "methods: [http-01], 'methods: [http-01]\n  http-port: 8080', files of a trial",
    "methods: [http-01], 'methods: [http-01]\n  tls-port: 8443', files of a trial",
    "methods: [http-01], 'methods: [http-01]\n  perspectives: [{name: a, resolvers: [127.0.0.1], source-address: 127.0.0.2}]', source-address",
  })
  void read_whatIsForFilesOrNotSaid_isRefused(String good, String bad, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rules(EndpointFiles.none()).read(octets(STORED.replace(good, bad))))
        .withMessageContaining(said);
  }

  /** Neither answer leads to the other one: what one asks for, the other refuses. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", source-address: 127.0.0.2"})
  void read_perspectivesWhereIpAddressesAreProven_refusedWithWhatToDo(String source) {
    String perspectives =
        "methods: [http-01]\n  perspectives: [{name: a, resolvers: [127.0.0.1]" + source + "}]";
    String file = STORED.replace("methods: [http-01]", perspectives);
    String withAddresses = file + "  ip-addresses: true\n";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> rules(EndpointFiles.none()).read(octets(withAddresses)))
        .withMessageContaining("source-address")
        .withMessageContaining("set ip-addresses to false")
        .withMessageContaining("leave perspectives out");
    String repaired = file.replace(source, "");
    assertThat(rules(EndpointFiles.none()).read(octets(repaired)).proofs()).isPresent();
  }

  @Test
  void read_withoutKeysOrTooLong_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new EndpointRules(EndpointFiles.none(), profile -> true, false)
                    .read(octets(STORED)))
        .withMessageContaining("sluice.secrets-file");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                rules(EndpointFiles.none())
                    .read(octets(STORED + "#".repeat(EndpointFiles.OCTETS_MAX))))
        .withMessageContaining("octets");
  }

  @Test
  void read_versionOfTheNodesFile_onlyTheSame() throws Exception {
    Files.writeString(folder.resolve("web.yaml"), STORED);
    EndpointRules rules = rules(EndpointFiles.read(folder));

    assertThat(rules.read(octets(STORED)).version()).isEqualTo(2);
    assertThat(rules.read(octets(STORED.replace("version: 2", "version: 3"))).version())
        .isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rules.read(octets(STORED + "# other\n")))
        .withMessageContaining("raise the version");
  }
}

package org.sluiceca.client.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.client.Main;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schemas themselves: valid, printed, and what the service's own contract says. */
class SchemaTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @MethodSource("names")
  void schema_eachFile_isValidAndPrintedByItsCommand(String name) throws Exception {
    JsonNode schema = MAPPER.readTree(SchemaFile.text(name));
    String command = schema.path("title").asString("").replaceAll("^sluice | --json$", "");

    assertThat(SchemaFile.faults(name)).isEmpty();
    assertThat(command.replace(' ', '-')).isEqualTo(name);
    assertThat(schema.path("description").asString("")).startsWith("One ");
    assertThat(schema.path("type").asString("")).isIn("object", "array");
    assertThat(run(("schema " + command).split(" "))).isZero();
    assertThat(out.toString()).isEqualTo(SchemaFile.text(name));
    assertThat(run((command + " --json --help").split(" "))).isZero();
  }

  @Test
  void schema_ofACommandWithoutJson_namesThoseThatHaveOne() {
    assertThat(run("schema", "logout")).isEqualTo(2);

    assertThat(err.toString()).contains("'logout' prints no JSON; these do: enroll, ");
  }

  /** Documents of the service that a command hands on: members as in the service's OpenAPI. */
  @ParameterizedTest
  @CsvSource({
    "find, , FoundCertificate",
    "get, , Certificate",
    "get, /$defs/RevocationStatus, RevocationStatus",
    "revoke, /$defs/RevocationStatus, RevocationStatus",
    "revoke, /$defs/Approval, Approval",
    "profile-check, /$defs/CheckedProfile, CheckedProfile",
    "profile-add, /$defs/StoredProfile, StoredProfile",
    "profile-add, /$defs/Approval, Approval",
    "profile-activate, /$defs/ProfileActivation, ProfileActivation",
    "profile-activate, /$defs/Approval, Approval",
    "profile-file, /$defs/Approval, Approval",
    "endpoint-check, /$defs/CheckedEndpoint, CheckedEndpoint",
    "endpoint-add, , StoredEndpoint",
    "endpoint-list, /$defs/Endpoint, Endpoint",
    "endpoint-versions, , EndpointVersions",
    "endpoint-versions, /$defs/Endpoint, Endpoint",
    "endpoint-versions, /$defs/EndpointActivation, EndpointActivation",
    "endpoint-activate, /$defs/EndpointActivation, EndpointActivation",
    "endpoint-activate, /$defs/Approval, Approval",
    "endpoint-deactivate, /$defs/Approval, Approval",
    "issuer-install, /$defs/Issuer, Issuer",
    "issuer-install, /$defs/Approval, Approval",
    "issuer-renew, /$defs/Issuer, Issuer",
    "issuer-renew, /$defs/Approval, Approval",
    "issuer-retire, /$defs/Issuer, Issuer",
    "issuer-retire, /$defs/Approval, Approval",
    "approval-approve, , Approval",
    "approval-refuse, , Approval",
    "approval-withdraw, , Approval",
    "credential-add, /$defs/Credential, Credential",
    "credential-add, /$defs/Approval, Approval",
    "credential-rotate, /$defs/Credential, Credential",
    "credential-rotate, /$defs/Approval, Approval",
    "credential-revoke, /$defs/Approval, Approval",
    "credential-list, , Credential",
    "eab-add, , AcmeBinding",
    "eab-list, , AcmeBinding",
    "request-list, , CertificateRequest",
    "request-show, , CertificateRequest",
    "capacity, , Capacity",
    "watch, /$defs/Capacity, Capacity",
    "expiry, , ExpiryReport",
    "revoke-all, /$defs/BulkCount, BulkCount",
    "revoke-all, /$defs/BulkJob, BulkJob",
    "revoke-all, /$defs/Approval, Approval",
    "profile-versions, , ProfileVersions",
    "profile-versions, /$defs/ProfileActivation, ProfileActivation",
    "approval-list, /$defs/Approval, Approval",
    "approval-show, , Approval",
    "issuer-list, /$defs/Issuer, Issuer",
    "order, /$defs/Order, Order",
    "order, /$defs/Certificate, Certificate",
  })
  void schema_ofAServiceDocument_hasItsMembers(String name, String pointer, String component)
      throws Exception {
    JsonNode ours = MAPPER.readTree(SchemaFile.text(name)).at(pointer == null ? "" : pointer);
    JsonNode theirs = Contract.component(component);

    assertThat(theirs.path("properties").propertyNames()).isNotEmpty();
    assertThat(ours.path("properties").propertyNames())
        .isEqualTo(theirs.path("properties").propertyNames());
    assertThat(ours.path("required")).isEqualTo(theirs.path("required"));
  }

  private static List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(SchemaFile.FOLDER)) {
      return files.map(f -> f.getFileName().toString().replace(".schema.json", "")).toList();
    }
  }

  private int run(String... words) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), words);
  }
}

package org.sluiceca.api.profile.administration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.profile.ProfileFiles;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the answer says of a file, in the words of the file. */
class CheckedProfileTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Path EXAMPLES = Path.of("../deploy/profiles");

  /** A file that uses each key of an enrollment profile. */
  private static final String EVERY_RULE =
      """
      name: web
      version: 3
      description: Servers
      use: enrollment
      issuer: issuing
      lane: bulk
      validity: {notAfter: "2030-01-01T00:00:00Z"}
      subject:
        required: [common_name]
        optional: [locality]
        attributes:
          organization: {value: Example AG, replace: true}
          locality: {default: Bern}
          common_name: {pattern: "[a-z]+"}
      key: {algorithms: [ec_p256, rsa], rsaBitsMin: 3072}
      subjectAltName:
        forms: [dns, ip]
        countMax: 20
        countMaxOf: {ip: 2}
        permitted: {dns: [.example.com], ip: [10.0.0.0/8]}
        excluded: {dns: [pay.example.com]}
        patterns: {dns: "[a-z.]+"}
        add: ["dns:${csr.commonName}.example.com"]
      extensions:
        keyUsage: [digital_signature]
        extendedKeyUsage: [server_auth, 1.3.6.1.5.2.3.5]
        ignoreRequested: [1.2.840.113549.1.9.15]
        revocation: crl
        policies: [{oid: 1.3.6.1.4.1.55555.1}]
        other:
          - {oid: 1.3.6.1.5.5.7.1.24, derHex: "3003020105"}
          - {oid: 1.3.6.1.4.1.55555.9, utf8String: "for ${requester.id}"}
      """;

  @Test
  void of_fileOfEveryRule_namesThem() throws IOException {
    JsonNode said = said(EVERY_RULE.getBytes(StandardCharsets.UTF_8));

    assertThat(said.path("lane").asString()).isEqualTo("bulk");
    assertThat(said.path("stored").asBoolean()).isTrue();
    assertThat(said.path("validity").toString())
        .isEqualTo("{\"notAfter\":\"2030-01-01T00:00:00Z\",\"clampToIssuer\":false}");
    assertThat(said.path("key").toString())
        .isEqualTo(
            "{\"algorithms\":[\"ec_p256\",\"rsa\"],\"rsaBitsMin\":3072,\"rsaBitsMax\":8192}");
    assertThat(said.path("subject").valueStream().map(JsonNode::toString))
        .containsExactlyInAnyOrder(
            "{\"attribute\":\"common_name\",\"presence\":\"required\",\"pattern\":\"[a-z]+\"}",
            "{\"attribute\":\"locality\",\"presence\":\"optional\",\"default\":\"Bern\"}",
            "{\"attribute\":\"organization\",\"presence\":\"fixed\",\"value\":\"Example AG\","
                + "\"replace\":true}");
    JsonNode names = said.path("subjectAltName");
    assertThat(names.path("permitted").toString())
        .isEqualTo("[\"dns:.example.com\",\"ip:10.0.0.0/8\"]");
    assertThat(names.path("excluded").toString()).isEqualTo("[\"dns:pay.example.com\"]");
    assertThat(names.path("countMaxOf").toString()).isEqualTo("{\"ip\":2}");
    assertThat(names.path("patterns").toString()).isEqualTo("{\"dns\":\"[a-z.]+\"}");
    assertThat(names.path("add").toString()).isEqualTo("[\"dns:${csr.commonName}.example.com\"]");
    assertThat(names.has("uriSchemes")).isFalse();
    assertThat(names.path("wildcards").isBoolean()).isTrue();
    JsonNode extensions = said.path("extensions");
    assertThat(extensions.path("extendedKeyUsage").toString())
        .isEqualTo("[\"1.3.6.1.5.2.3.5\",\"server_auth\"]");
    assertThat(extensions.path("other").toString())
        .isEqualTo(
            "[{\"oid\":\"1.3.6.1.5.5.7.1.24\",\"critical\":false,\"derHex\":\"3003020105\"},"
                + "{\"oid\":\"1.3.6.1.4.1.55555.9\",\"critical\":false,"
                + "\"text\":\"for ${requester.id}\"}]");
  }

  @Test
  void of_profileWithoutNamesAndRsa_leavesThemOut() throws IOException {
    JsonNode said =
        said(
            """
            name: sign
            version: 2
            description: Code
            use: enrollment
            issuer: issuing
            validity: {duration: P90D}
            subject: {required: [common_name]}
            key: {algorithms: [ed25519]}
            extensions: {keyUsage: [digital_signature], revocation: unstated}
            """
                .getBytes(StandardCharsets.UTF_8));

    assertThat(said.has("subjectAltName")).isFalse();
    assertThat(said.path("key").toString()).isEqualTo("{\"algorithms\":[\"ed25519\"]}");
    assertThat(said.path("validity").has("backdate")).isFalse();
  }

  /** Generated clients read no member that the document lacks, and find each that it requires. */
  @ParameterizedTest
  @ValueSource(strings = {"smime", "workload", "exhibition", "tls-server-corp", "code-signing"})
  void of_example_hasTheMembersOfTheDocument(String name) throws IOException {
    JsonNode said = said(Files.readAllBytes(EXAMPLES.resolve(name + ".yaml")));

    JsonNode schema = schema();
    assertThat(said.propertyNames()).isSubsetOf(schema.path("properties").propertyNames());
    schema
        .path("required")
        .forEach(member -> assertThat(said.has(member.asString())).as("%s", member).isTrue());
    for (String part : new String[] {"validity", "key", "subjectAltName", "extensions"}) {
      JsonNode inner = schema.path("properties").path(part);
      assertThat(said.path(part).propertyNames())
          .isSubsetOf(inner.path("properties").propertyNames());
    }
  }

  private static JsonNode said(byte[] yaml) {
    var sound = new ProfileAnswer.Sound(ProfileFiles.parse("file", yaml), true);
    return JSON.valueToTree(CheckedProfile.of(sound, yaml));
  }

  private static JsonNode schema() throws IOException {
    try (InputStream in = CheckedProfileTest.class.getResourceAsStream("/openapi.json")) {
      return JSON.readTree(in).at("/components/schemas/CheckedProfile");
    }
  }
}

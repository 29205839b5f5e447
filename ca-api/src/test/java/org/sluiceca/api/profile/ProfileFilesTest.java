package org.sluiceca.api.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.profile.ValidityPolicy.Term.Lasting;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.NameAttribute;

class ProfileFilesTest {

  @Test
  void read_shipped_hasTheDemoProfiles() {
    ProfileCatalog profiles = ProfileFiles.read(ProfileFiles.CLASSPATH);

    assertThat(profiles.all())
        .extracting(p -> p.name().value())
        .containsExactly(
            "device",
            "ocsp-responder",
            "root-ca",
            "short-lived",
            "sub-ca",
            "tls-client",
            "tls-server");
    assertThat(duration(profiles, "tls-server")).isEqualTo(Duration.ofDays(90));
    assertThat(duration(profiles, "device")).isEqualTo(Duration.ofDays(825));
    assertThat(duration(profiles, "short-lived")).isEqualTo(Duration.ofDays(7));
  }

  /** Each row breaks one promise of the file; what is said must name it. */
  @ParameterizedTest
  @CsvSource({
    "'ca: false', 'ca: true', keyCertSign",
    "'ca: false', 'ca: false\n  pathLen: 0', pathLen",
    "'duration: P90D', 'duration: P90000D', duration",
    "'duration: P90D', 'duration: P90D, backdate: P91D', backdate",
    "'use: enrollment', 'use: anyone', 'key use: anyone is not allowed: allowed: enrollment,"
        + " ceremony'",
    "'use: enrollment', 'use: enrollment\ncolour: blue', colour",
    "'use: enrollment', 'use: enrollment\nuse: enrollment', use",
    "'countMax: 100', 'countMax: 101', countMax",
    "'forms: [dns, ip]', 'forms: [ip]', dns",
    "'forms: [dns, ip]', 'forms: [dns, ip, x400]', 'key subjectAltName.forms[3]: x400 is not"
        + " allowed: allowed: '",
    "'algorithms: [rsa, ec_p256, ec_p384, ec_p521, ed25519, ed448]', 'algorithms: []', algorithm",
    "'rsaBitsMin: 2048', 'rsaBitsMin: 1024', rsaBitsMin",
    "'keyUsage: [digital_signature]', 'keyUsage: []', keyUsage",
    "'name: tls-server', 'name: TLS Server', name",
    "'issuer: issuing', '', issuer",
    "'revocation: crl', '', revocation",
    "'duration: P90D', 'notAfter: \"2027-01-01T00:00:00Z\", duration: P90D', duration",
    "'duration: P90D, ', '', notAfter",
    "'duration: P90D', 'notAfter: \"2101-01-01T00:00:00Z\"', notAfter",
    "'rsaBitsMin: 2048', 'rsaBitsMin: 3072, rsaBitsMax: 2048', rsaBitsMax",
    "'keyUsage: [digital_signature]', 'keyUsage: [key_encipherment]', KEY_ENCIPHERMENT",
    "'extendedKeyUsage: [server_auth]', 'extendedKeyUsage: [ocsp_signing]', ocsp_signing",
    "'extendedKeyUsage: [server_auth]', 'extendedKeyUsage: [server_auth, time_stamping]',"
        + " time_stamping",
    "'extendedKeyUsage: [server_auth]', 'extendedKeyUsage: [servr_auth]', servr_auth",
    "'extendedKeyUsage: [server_auth]', 'extendedKeyUsage: [2.5.29.37.0]', anyExtendedKeyUsage",
    "'optional: [common_name', 'optional: [common_name, CN', twice",
    "'[1.2.840.113549.1.9.15,', '[2.5.29.17,', subjectAltName",
    "'[1.2.840.113549.1.9.15,', '[smime,', smime",
    "'key:', '  attributes: {common_name: {value: x}}\nkey:', COMMON_NAME",
    "'key:', '  attributes: {serial_number: {}}\nkey:', SERIAL_NUMBER",
    "'key:', '  attributes: {serial_number: }\nkey:', null",
    "'key:', '  attributes: {serial_number: {value: \"${csr.shoe}\"}}\nkey:', csr.shoe",
    "'key:', '  attributes: {serial_number: {value: \"x\", colour: blue}}\nkey:', colour",
    "'key:', '  attributes: {shoe: {value: \"x\"}}\nkey:', shoe",
    "'key:', '  attributes: {locality: {pattern: \"(\"}}\nkey:', pattern",
    "'countMax: 100', 'countMax: 100, permitted: {dns: [\"a..b\"]}', a..b",
    "'countMax: 100', 'countMax: 100, permitted: {ip: [\"10.0.0.1/8\"]}', prefix",
    "'countMax: 100', 'countMax: 100, permitted: {dms: [\"a.b\"]}', dms",
    "'countMax: 100', 'countMax: 100, add: [\"x400:a\"]', x400",
    "'countMax: 100', 'countMax: 100, fromRequest: false', added",
    "'countMax: 100', 'countMax: 100, countMaxOf: {uri: 2}', URI",
    "'countMax: 100', 'countMax: 100, patterns: {dns: \"[\"}', pattern",
    "'ca: false', 'ca: false\n  nameConstraints: {permitted: {dns: [a.test]}}', nameConstraints",
    "'ca: false', 'ca: false\n  ocspNoCheck: true', ocspNoCheck",
    "'ca: false', 'ca: false\n  policies: [{oid: 1.2.x}]', 1.2.x",
    "'ca: false', 'ca: false\n  other: [{oid: 2.5.29.19, derHex: \"0500\"}]', governed",
    "'ca: false', 'ca: false\n  other: [{oid: 1.2.3.4, derHex: \"05\"}]', 1.2.3.4",
    "'ca: false', 'ca: false\n  other: [{oid: 1.2.3.4}]', 1.2.3.4",
    "'ca: false', 'ca: false\n  policies: [null]', null",
    "'countMax: 100', 'countMax: 100, add: [null]', null",
    "'ca: false', 'ca: false\n  other: [{oid: 1.2.3.4, derHex: \"0500\", utf8String: x}]', derHex",
  })
  void parse_contradictionOrUnknownKey_refused(String line, String instead, String named)
      throws IOException {
    String yaml = shipped("tls-server");
    assertThat(yaml).contains(line);

    assertThatThrownBy(
            () ->
                ProfileFiles.parse(
                    "x.yaml", yaml.replace(line, instead).getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x.yaml")
        .hasMessageContaining(named);
  }

  /** Line, key and what is allowed, in the words of docs/PROFILES.md. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "extensions:|extentions:|key extensions is missing; is it extentions that is misspelt?",
        "keyUsage: [digital_signature]|keyUsage: [digital_sign]|key extensions.keyUsage[1]:"
            + " digital_sign is not allowed: ",
        "keyUsage: [digital_signature]|keyUsage: [digital_signatur]|did you mean digital_signature?"
            + " allowed: ",
        "keyUsage: [digital_signature]|keyUsage: digital_signature|key extensions.keyUsage must be"
            + " a list",
        "duration: P90D|duration: 90 days|key validity.duration must be a duration such as P90D or"
            + " PT5M, not 90 days",
        "issuer: issuing||key issuer is missing",
        "issuer: issuing|issuer:|key issuer is null: it needs a value",
        "rsaBitsMin: 2048|rsaBitsMin: many|key key.rsaBitsMin must be a whole number, not many",
        "ca: false|ca: perhaps|key extensions.ca must be true or false, not perhaps",
        "use: enrollment|use: [enrollment]|key use must be one of enrollment, ceremony",
        "revocation: crl|revocatoin: crl|is it revocatoin that is misspelt?",
        "wildcards: true|wildcard: true|there is no key subjectAltName.wildcard: did you mean"
            + " wildcards? allowed: ",
        "use: enrollment|use: \"enrollment|it is not well-formed YAML",
        "issuer: issuing|issuer: {a: b}|key issuer must be a text",
      })
  void parse_fault_lineKeyAndWhatIsAllowed(String line, @Nullable String instead, String text)
      throws IOException {
    String yaml = shipped("tls-server");
    assertThat(yaml).contains(line);

    assertThatThrownBy(
            () ->
                ProfileFiles.parse(
                    "x.yaml",
                    yaml.replace(line, instead == null ? "" : instead)
                        .getBytes(StandardCharsets.UTF_8)))
        .hasMessageMatching("(?s)profile x[.]yaml: line [0-9]+: .*")
        .hasMessageContaining(text)
        .message()
        .doesNotContainPattern(
            "org\\.|tools\\.|java\\.|Exception|deserialize|[Tt]oken|\\w+\\[\\w+=");
  }

  /** RFC 5280 4.1.2.4 and 4.2.1.12: by the file's name, the standard's, or the OID. */
  @Test
  void parse_attributesAndPurposesByNameOrOid_theSame() throws IOException {
    String yaml =
        shipped("tls-server")
            .replace(
                "optional: [common_name,",
                "optional: [2.5.4.3, DC, emailAddress, dn_qualifier, 0.9.2342.19200300.100.1.1,")
            .replace("[server_auth]", "[1.3.6.1.5.5.7.3.1, clientAuth, 1.3.6.1.5.2.3.5]");

    CertificateProfile.Content content =
        ProfileFiles.parse("x.yaml", yaml.getBytes(StandardCharsets.UTF_8)).content();

    assertThat(content.subject().optional())
        .contains(
            NameAttribute.COMMON_NAME,
            NameAttribute.DOMAIN_COMPONENT,
            NameAttribute.EMAIL_ADDRESS,
            NameAttribute.DN_QUALIFIER,
            NameAttribute.USER_ID,
            NameAttribute.ORGANIZATION);
    assertThat(content.extensions().extendedKeyUsage())
        .containsExactlyInAnyOrder(
            ExtendedKeyUsage.SERVER_AUTH,
            ExtendedKeyUsage.CLIENT_AUTH,
            new ExtendedKeyUsage("1.3.6.1.5.2.3.5"));
    assertThat(content.extensions().ignoredRequests()).contains("1.2.840.113549.1.9.15");
  }

  /**
   * An alias would be read as its own name: {@code O=org} in certificates, not what it refers to.
   */
  @Test
  void parse_alias_refused_andAnAsteriskInQuotesIsNone() throws IOException {
    String yaml =
        shipped("tls-server")
            .replace("name: tls-server", "name: &own tls-server")
            .replaceFirst("description: .*", "description: %s");

    assertThatThrownBy(
            () -> ProfileFiles.parse("x", yaml.formatted("*own").getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("profile x: line ")
        .hasMessageContaining("*own is an alias");
    assertThat(
            ProfileFiles.parse("x", yaml.formatted("'*own'").getBytes(StandardCharsets.UTF_8))
                .description())
        .isEqualTo("*own");
  }

  @Test
  void read_twoOfOneName_refused(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("a.yaml"), shipped("tls-server"));
    Files.writeString(folder.resolve("b.yaml"), shipped("tls-server"));

    assertThatThrownBy(() -> ProfileFiles.read(folder.toString()))
        .hasMessageContaining("two profiles named tls-server");
  }

  @Test
  void read_emptyFolder_refused(@TempDir Path folder) {
    assertThatThrownBy(() -> ProfileFiles.read(folder.toString()))
        .hasMessageContaining("0 profile files");
  }

  private static Duration duration(ProfileCatalog profiles, String name) {
    CertificateProfile profile = profiles.find(new ProfileName(name)).orElseThrow();
    return profile.content().validity().term() instanceof Lasting(Duration duration)
        ? duration
        : Duration.ZERO;
  }

  private static String shipped(String name) throws IOException {
    try (InputStream in =
        ProfileFilesTest.class.getResourceAsStream("/profiles/" + name + ".yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

package org.sluiceca.api.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.ceremony.CeremonyCommand;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.FullProfiles;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a new user sees: text, JSON, exit codes. */
class ProfileCommandTest {

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final String CORP = "../deploy/profiles/tls-server-corp.yaml";

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private CommandLine command = CeremonyCommand.commandLine();

  @BeforeEach
  void capture() {
    command =
        CeremonyCommand.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
  }

  @Test
  void check_shippedProfile_showsTheCertificate() throws Exception {
    Path csr = pem(CsrFixture.host("www.example.com", "www.example.com").signedBy(KEY));

    assertThat(run("check", "--profile", "tls-server", "--csr", csr.toString())).isZero();

    assertThat(out.toString())
        .startsWith("would be issued")
        .contains("profile tls-server, version 1, content ")
        .contains("a stand-in for issuing")
        .contains("subject      CN=www.example.com")
        .contains("names        dns:www.example.com")
        .contains("(90 days)")
        .contains("key          EC_P256")
        .contains("basicConstraints critical: no CA")
        .contains("keyUsage critical: DIGITAL_SIGNATURE")
        .contains("extKeyUsage: SERVER_AUTH")
        .containsPattern("(?m)subjectKeyIdentifier: ([0-9A-F]{2}:){19}[0-9A-F]{2}$")
        .containsPattern("(?m)authorityKeyIdentifier: ([0-9A-F]{2}:){19}[0-9A-F]{2}$")
        .containsPattern("(?m)cRLDistributionPoints: http://localhost:8080/crl/issuing.crl$")
        .contains("authorityInfoAccess: ")
        .contains("caIssuers http://localhost:8080/issuers/issuing.cer")
        .contains("overridden   none")
        .containsPattern("lints        [1-9][0-9]* passed");
  }

  @Test
  void check_overriddenParts_areShown() throws Exception {
    Path csr =
        pem(
            CsrFixture.empty()
                .subject(
                    new Attribute(NameAttribute.ORGANIZATION, "Internet Widgits"),
                    new Attribute(NameAttribute.COMMON_NAME, "www.example.com"))
                .extension(Extensions.keyUsage(java.util.Set.of(KeyUsage.KEY_ENCIPHERMENT)))
                .signedBy(KEY));

    assertThat(run("check", "--profile-file", CORP, "--csr", csr.toString())).isZero();

    assertThat(out.toString())
        .contains("subject      C=CH, L=Bern, O=Example AG, CN=www.example.com")
        .contains("extension keyUsage")
        .contains("subject O (asked: Internet Widgits)");
  }

  @Test
  void check_refused_saysStepReasonAndDetail() throws Exception {
    Path csr = pem(CsrFixture.host("www.example.org").signedBy(KEY));

    assertThat(run("check", "--profile-file", CORP, "--csr", csr.toString())).isEqualTo(1);

    assertThat(out.toString())
        .startsWith("would be refused")
        .contains("step         4 plan")
        .contains("reason       NAME_NOT_ALLOWED")
        .contains("www.example.org");
  }

  @Test
  void check_requestThatIsNone_refusedInStep3() throws Exception {
    byte[] broken = CsrFixture.host("a.test").signedBy(KEY).encoded();
    broken[broken.length - 1] ^= 1;

    assertThat(run("check", "--profile", "tls-server", "--csr", der(broken).toString()))
        .isEqualTo(1);

    assertThat(out.toString()).contains("3 verify").contains("BAD_PROOF_OF_POSSESSION");
  }

  @Test
  void check_json_isOneObject() throws Exception {
    Path csr = der(CsrFixture.host("a.test", "a.test", "b.test").signedBy(KEY).encoded());

    assertThat(run("check", "--json", "--profile", "tls-server", "--csr", csr.toString())).isZero();

    JsonNode body = JsonMapper.shared().readTree(out.toString());
    assertThat(body.get("issuable").asBoolean()).isTrue();
    assertThat(body.get("standIn").asBoolean()).isTrue();
    assertThat(body.get("subject").asString()).isEqualTo("CN=a.test");
    assertThat(body.get("subjectAltNames")).hasSize(2);
    assertThat(body.get("profileDigest").asString()).matches("[0-9a-f]{64}");
    assertThat(body.get("extensions").get(0).get("oid").asString()).isEqualTo("2.5.29.19");
    assertThat(body.get("lints").asInt()).isGreaterThan(20);
  }

  @Test
  void check_jsonOfARefusal_namesTheStep() throws Exception {
    Path csr = pem(CsrFixture.empty().signedBy(KEY));

    assertThat(run("check", "--json", "--profile", "tls-server", "--csr", csr.toString()))
        .isEqualTo(1);

    JsonNode body = JsonMapper.shared().readTree(out.toString());
    assertThat(body.get("issuable").asBoolean()).isFalse();
    assertThat(body.get("step").asInt()).isEqualTo(4);
    assertThat(body.get("reason").asString()).isEqualTo("NAME_NOT_ALLOWED");
  }

  @Test
  void check_requester_fillsTemplates() throws Exception {
    Path csr = pem(CsrFixture.empty().signedBy(KEY));

    assertThat(
            run(
                "check",
                "--profile-file",
                "../deploy/profiles/workload.yaml",
                "--requester",
                "billing",
                "--csr",
                csr.toString()))
        .isZero();

    assertThat(out.toString())
        .contains("names        uri:spiffe://prod.example.com/billing")
        .contains("subject      (empty)");
  }

  /** The real chain counts: its end and its name constraints. */
  @Test
  void check_chain_itsConstraintsAreKept() throws Exception {
    Path chain = folder.resolve("chain.pem");
    IssuancePlan plan =
        new AcceptLine(
                FullProfiles.constrainedCa(), Fixtures.root(SoftwareKey.named("issuer-ec-p384")))
            .plan(CsrFixture.host("Constrained CA").signedBy(KEY));
    Files.writeString(
        chain,
        Pem.write(
            Pem.CERTIFICATE,
            TbsCertificateWriter.assemble(
                    plan.tbsCertificate(),
                    plan.signatureAlgorithm(),
                    OctetString.copyOf(new byte[64]))
                .encoded()));
    // What stands in the chain is of the tests' own time, which may lie behind.
    Path csr = pem(CsrFixture.host("a.test", "a.test").signedBy(KEY));

    assertThat(
            run(
                "check",
                "--profile",
                "tls-server",
                "--chain",
                chain.toString(),
                "--csr",
                csr.toString()))
        .isEqualTo(1);

    assertThat(out.toString())
        .contains("name constraints of the issuer")
        .contains("CN=Constrained CA (" + chain + ")");
  }

  @Test
  void check_controlCharactersOfAStranger_doNotReachTheTerminal() throws Exception {
    Path csr =
        pem(
            CsrFixture.host("www.example.com")
                .names(
                    List.of(new org.sluiceca.core.x509.GeneralName.Dns("a\u001b[31m.example.com")))
                .signedBy(KEY));

    assertThat(run("check", "--profile-file", CORP, "--csr", csr.toString())).isEqualTo(1);

    assertThat(out.toString()).doesNotContain("\u001b");
  }

  @Test
  void check_faultsOfTheCaller_oneLineAndExit1() throws Exception {
    Path csr = pem(CsrFixture.host("a.test").signedBy(KEY));
    assertFails("there are", "--profile", "no-such", "--csr", csr.toString());
    assertFails("name a profile", "--csr", csr.toString());
    assertFails("no file", "--profile", "tls-server", "--csr", folder + "/none.pem");
    assertFails(
        "not a requester id",
        "--profile",
        "tls-server",
        "--requester",
        "A B",
        "--csr",
        csr.toString());
    assertFails(
        "is profile tls-server-corp",
        "--profile",
        "x",
        "--profile-file",
        CORP,
        "--csr",
        csr.toString());
    Path empty = Files.createFile(folder.resolve("empty"));
    assertFails(
        "cannot read the key blocklist",
        "--profile",
        "tls-server",
        "--key-blocklist",
        folder.resolve("none").toString(),
        "--csr",
        csr.toString());
    out.getBuffer().setLength(0);
    assertThat(run("check", "--profile", "tls-server", "--csr", empty.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("MALFORMED_CSR");
  }

  /** What the node would refuse by its list is refused here, however the request is written. */
  @Test
  void check_keyOnTheBlocklist_refused() throws Exception {
    Path list = folder.resolve("blocklist");
    CsrDer request = CsrFixture.file("openssl-ec-p256");
    Files.writeString(
        list,
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(CsrReader.read(request).subjectPublicKeyInfo().encoded())));
    Path base64 = folder.resolve("request.b64");
    Files.writeString(base64, Base64.getEncoder().encodeToString(request.encoded()));

    assertThat(
            run(
                "check",
                "--profile",
                "tls-server",
                "--key-blocklist",
                list.toString(),
                "--csr",
                base64.toString()))
        .isEqualTo(1);
    assertThat(out.toString()).contains("WEAK_KEY");
  }

  @Test
  void usage_wrong_exit2() {
    assertThat(run("check")).isEqualTo(2);
    assertThat(run("check", "--colour", "blue")).isEqualTo(2);
    assertThat(run("lint")).isEqualTo(2);
    assertThat(run("frobnicate")).isEqualTo(2);
    assertThat(run("--help")).isZero();
  }

  @Test
  void lint_soundAndUnsoundFiles_oneLineEach() throws Exception {
    Path bad = folder.resolve("bad.yaml");
    Files.writeString(bad, Files.readString(Path.of(CORP)).replace("ca: false", "ca: true"));

    assertThat(run("lint", CORP)).isZero();
    assertThat(run("lint", CORP, bad.toString())).isEqualTo(1);

    assertThat(out.toString().lines())
        .hasSize(3)
        .anyMatch(l -> l.startsWith(CORP + ": ok, profile tls-server-corp, version 1, content "))
        // As `profile versions` prints it for what was stored of the file.
        .anyMatch(l -> l.endsWith("file sha256 " + sha256(Path.of(CORP))))
        .anyMatch(l -> l.contains(bad.toString()) && l.contains("keyCertSign"));
  }

  /** A node refuses the file by the same rule when it is added. */
  @Test
  void lintAndCheck_unknownIssuer_refusedUnlessNamed() throws Exception {
    Path other = folder.resolve("other.yaml");
    Files.writeString(
        other, Files.readString(Path.of(CORP)).replace("issuer: issuing", "issuer: isuing"));
    Path csr = pem(CsrFixture.host("www.example.com").signedBy(KEY));
    String file = other.toString();

    assertThat(run("lint", file)).isEqualTo(1);
    assertThat(out.toString())
        .contains("no profile in use enrolls under issuer isuing: did you mean issuing?");
    assertFails("issuer isuing", "--profile-file", file, "--csr", csr.toString());
    assertThat(run("lint", "--issuer", "isuing", file)).isZero();
    assertThat(run("check", "--issuer", "isuing", "--profile-file", file, "--csr", csr.toString()))
        .isZero();
  }

  private static String sha256(Path file) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (java.io.IOException | java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertFails(String message, String... arguments) {
    err.getBuffer().setLength(0);
    String[] all = new String[arguments.length + 1];
    all[0] = "check";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    assertThat(run(all)).isEqualTo(1);
    assertThat(err.toString()).startsWith("ceremony: ").contains(message);
    assertThat(err.toString().lines()).hasSize(1);
  }

  private int run(String... arguments) {
    return command.execute(
        Stream.concat(Stream.of("profile"), Arrays.stream(arguments)).toArray(String[]::new));
  }

  private Path pem(CsrDer csr) throws Exception {
    return Files.writeString(
        folder.resolve("request.pem"), Pem.write(Pem.CERTIFICATE_REQUEST, csr.encoded()));
  }

  private Path der(byte[] csr) throws Exception {
    return Files.write(folder.resolve("request.der"), csr);
  }
}

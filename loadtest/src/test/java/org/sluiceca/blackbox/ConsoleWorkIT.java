package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Finding, looking at, revoking and enrolling certificates in the console, as each role. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ConsoleWorkIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String PAGE = "/console/certificates";
  private static final String ENROLL = "/console/enroll";
  private static final String PROFILE = "tls-server";
  private static final Duration FOUND_WITHIN = Duration.ofSeconds(60);

  /** What would run if it were not escaped; its octets stand in a name of a certificate. */
  private static final String MARKUP = "<img src=x onerror=alert(1)>";

  private static final ConcurrentMap<String, ConsoleBrowser> SIGNED_IN = new ConcurrentHashMap<>();

  private static final Pattern KEY = Pattern.compile("name=\"key\" value=\"([\\w-]+)\"");
  private static final Pattern CSR = Pattern.compile("name=\"csr\" value=\"([^\"]+)\"");

  private static Api admin() {
    return TRIAL.trial().api(0, "admin");
  }

  /** One session for all tests: a requester has ten. */
  private static ConsoleBrowser browser(String file) {
    return SIGNED_IN.computeIfAbsent(
        file, name -> ConsoleBrowser.signedIn(admin(), TRIAL.trial().read(name).strip()));
  }

  private static ConsoleBrowser other(String requester, String role) {
    String token =
        admin()
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    requester,
                    "roles",
                    List.of(role),
                    "profiles",
                    role.equals("REQUESTER") ? List.of(PROFILE) : List.of()))
            .is(201)
            .json()
            .path("token")
            .asString();
    return ConsoleBrowser.signedIn(admin(), token);
  }

  private static Csr csr(String name) {
    return Csr.openssl(
        TRIAL.trial().folder(),
        Csr.KeyType.EC_P256,
        name,
        "-addext",
        "subjectAltName=DNS:" + name.split("/", 2)[0]);
  }

  /** Far more than the certificates of a trial fill. */
  private static final int PAGES_MAX = 1_000;

  private static final Pattern NEXT = Pattern.compile("href=\"([^\"]+)\" rel=\"next\"");

  private static String enrolled(String name) {
    return TRIAL.trial().enroller().enroll(PROFILE, csr(name).pemBytes()).is(201).locationEnd();
  }

  private static void awaitFound(ConsoleBrowser browser, String query, String text) {
    Poll.until(
        "found", FOUND_WITHIN, () -> browser.get(PAGE + query).is(200).text().contains(text));
  }

  @Test
  void find_fieldsAndPresets_whatTheRequesterMaySee() {
    String serial = enrolled("work-find.example.com");
    ConsoleBrowser all = browser("admin.token");
    ConsoleBrowser own = browser("enroll.token");
    ConsoleBrowser stranger = other("work-stranger", "REQUESTER");
    String query = "?name=work-find.example.com";

    awaitFound(all, query, PAGE + "/" + serial);

    assertThat(all.get(PAGE + query + "&within=120").is(200).text()).contains(serial, "in 8");
    assertThat(all.get(PAGE + query + "&within=7").is(200).text()).doesNotContain(serial);
    assertThat(all.get(PAGE + "?name=work-find.*&status=valid&profile=tls-server").text())
        .contains(serial);
    assertThat(all.get(PAGE + query + "&status=revoked").is(200).text())
        .contains("No certificate fits.");
    assertThat(own.get(PAGE + query).is(200).text())
        .contains(serial)
        .doesNotContain("name=\"requester\"");
    assertThat(stranger.get(PAGE + query).is(200).text()).doesNotContain(serial);
    stranger.get(PAGE + query + "&requester=demo-enroll").is(403);
    assertThat(all.get(PAGE + "?serial=" + serial.toUpperCase(Locale.ROOT)).is(303))
        .extracting(answer -> answer.header("Location"))
        .isEqualTo(PAGE + "/" + serial);
    for (String refused :
        List.of(
            "?name=" + "x".repeat(2_000),
            "?name=a*b*c",
            "?expiresFrom=tomorrow",
            "?within=0",
            "?status=lost",
            "?serial=4711",
            "?cursor=AAAA",
            "?profile=%3Cscript%3E",
            "?unknown=1",
            "?name=a&name=b")) {
      assertThat(all.get(PAGE + refused).is(400).text())
          .as(refused)
          .contains("role=\"alert\"")
          .doesNotContain("<script>");
    }
  }

  @Test
  void find_page_leadsToTheNextUntilTheEnd() {
    ConsoleBrowser requester = browser("enroll.token");
    for (int i = 0; i < 3; i++) {
      String serial = enrolled("work-pages-" + i + ".example.com");
      awaitFound(requester, "?name=work-pages-" + i + ".example.com", serial);
    }
    // A page ends with what a search looks at, whether it is full or not.
    StringBuilder found = new StringBuilder();
    String next = PAGE + "?name=work-pages-*";
    for (int i = 0; i < PAGES_MAX && !next.isEmpty(); i++) {
      String text = requester.get(next).is(200).text();
      found.append(text);
      Matcher link = NEXT.matcher(text);
      next = link.find() ? link.group(1).replace("&amp;", "&") : "";
    }

    assertThat(next).isEmpty();
    assertThat(found).contains("work-pages-0", "work-pages-1", "work-pages-2");
  }

  @Test
  void export_csvAndJson_whatWasFound() {
    String serial = enrolled("work-export.example.com/O=@formula");
    ConsoleBrowser all = browser("admin.token");
    awaitFound(all, "?name=work-export.example.com", serial);

    Answer csv = all.get(PAGE + "/export?format=csv&name=work-export.example.com").is(200);
    Answer json = all.get(PAGE + "/export?format=json&name=work-export.example.com").is(200);

    assertThat(csv.mediaType()).isEqualTo("text/csv");
    assertThat(csv.header("Content-Disposition"))
        .isEqualTo("attachment; filename=\"certificates.csv\"");
    assertThat(csv.text().lines()).hasSize(2).last().asString().startsWith("\"" + serial + "\"");
    assertThat(json.json().path("complete").asBoolean()).isTrue();
    assertThat(json.json().path("certificates").get(0).path("serial").asString()).isEqualTo(serial);
    ConsoleBrowser stranger = other("work-export-stranger", "REQUESTER");
    assertThat(
            stranger.get(PAGE + "/export?format=csv&name=work-export.example.com").text().lines())
        .hasSize(1);
    assertThat(admin().anonymous().get(PAGE + "/export?format=csv").status()).isEqualTo(303);
  }

  @Test
  void certificate_page_decodedEscapedAndDownloaded() throws CertificateException {
    String serial = enrolled("work-page.example.com/O=" + MARKUP);
    ConsoleBrowser own = browser("enroll.token");

    String text = own.get(PAGE + "/" + serial).is(200).text();

    assertThat(text)
        .contains("DNS:work-page.example.com", "P-256", "digitalSignature", "serverAuth", "OCSP:")
        .contains("O=&lt;img src=x onerror=alert(1)&gt;", ">enroll<", "Valid until", "Revoke")
        .doesNotContain("<img src=x", "onerror=alert(1)>", "${");
    Answer rest =
        TRIAL
            .trial()
            .api(0, "enroll")
            .with("Accept", "application/pem-certificate-chain")
            .get(Api.CERTIFICATES + "/" + serial)
            .is(200);
    String downloads = PAGE + "/" + serial + "/download/";
    assertThat(own.get(downloads + "pem").is(200).text()).isEqualTo(rest.text());
    X509Certificate expected = Answer.certificate(rest.body());
    Answer der = own.get(downloads + "cer").is(200);
    assertThat(Answer.certificate(der.body())).isEqualTo(expected);
    assertThat(der.header("Content-Disposition"))
        .isEqualTo("attachment; filename=\"" + serial + ".cer\"");
    Collection<? extends Certificate> bag =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(own.get(downloads + "p7b").is(200).body()));
    assertThat(bag).hasSize(rest.text().split("BEGIN CERTIFICATE", -1).length - 1);
    assertThat(bag.stream().anyMatch(expected::equals)).isTrue();
    own.get(downloads + "exe").is(404);

    ConsoleBrowser stranger = other("work-page-stranger", "REQUESTER");
    for (String hidden :
        List.of("", "/download/pem", "/download/cer", "/download/p7b", "/revocation")) {
      assertThat(stranger.get(PAGE + "/" + serial + hidden).is(404).text())
          .doesNotContain("work-page.example.com");
    }
    assertThat(other("work-page-auditor", "AUDITOR").get(PAGE + "/" + serial).is(200).text())
        .contains("work-page.example.com")
        .doesNotContain("Revoke…");
    own.get(PAGE + "/4711").is(400);
    own.get(PAGE + "/" + serial.replace(serial.substring(30), "00000000")).is(404);
  }

  @Test
  void revoke_formConfirmationAndAct_byThoseWhoMay() {
    String serial = enrolled("work-revoke.example.com");
    String path = PAGE + "/" + serial + "/revocation";
    ConsoleBrowser own = browser("enroll.token");
    ConsoleBrowser auditor = other("work-revoke-auditor", "AUDITOR");
    ConsoleBrowser stranger = other("work-revoke-stranger", "REQUESTER");
    Map<String, String> act = Map.of("reason", "superseded", "confirmed", "yes");

    auditor.get(path).is(403);
    auditor.post(path, act).is(403);
    stranger.post(path, act).is(404);
    own.postForged(path, act).is(403);
    own.post(path, Map.of("confirmed", "yes")).is(400);
    own.post(path, Map.of("reason", "<script>", "confirmed", "yes")).is(400);
    own.post(path, Map.of("reason", "superseded", "since", "never", "confirmed", "yes")).is(400);
    assertThat(own.get(path).is(200).text()).contains("work-revoke.example.com", "superseded");
    assertThat(own.post(path, Map.of("reason", "superseded")).is(200).text())
        .contains("Revoke it now?", "name=\"confirmed\" value=\"yes\"");
    // Nothing was revoked so far.
    assertThat(own.get(PAGE + "/" + serial).is(200).text()).contains("Valid until");

    assertThat(own.post(path, act).is(303).header("Location")).isEqualTo(PAGE + "/" + serial);

    assertThat(own.get(PAGE + "/" + serial).is(200).text())
        .contains("Revoked", "superseded")
        .doesNotContain("Revoke…");
    assertThat(
            admin().get(Api.CERTIFICATES + "/" + serial).is(200).json().path("status").asString())
        .isEqualTo("revoked");
  }

  @Test
  void hold_releasedByOfficersAlone() {
    String serial = enrolled("work-hold.example.com");
    ConsoleBrowser own = browser("enroll.token");
    ConsoleBrowser officer = other("work-hold-officer", "OFFICER");
    officer
        .post(
            PAGE + "/" + serial + "/revocation",
            Map.of("reason", "certificateHold", "confirmed", "yes"))
        .is(303);
    String release = PAGE + "/" + serial + "/release";

    own.post(release, Map.of()).is(403);
    officer.postForged(release, Map.of()).is(403);
    assertThat(own.get(PAGE + "/" + serial).text()).doesNotContain("Release from hold");
    assertThat(officer.get(PAGE + "/" + serial).text()).contains("Release from hold");
    officer.post(release, Map.of()).is(303);

    assertThat(own.get(PAGE + "/" + serial).is(200).text()).contains("Valid until");
  }

  @Test
  void enroll_explainedThenIssued_repeatGetsTheSame() {
    ConsoleBrowser own = browser("enroll.token");
    Csr csr = csr("work-enroll.example.com");
    assertThat(own.get(ENROLL).is(200).text()).contains(">tls-server<");

    Answer explained = own.post(ENROLL, Map.of("csr", csr.pemText(), "profile", PROFILE)).is(200);

    assertThat(explained.text())
        .contains("This is what it becomes", "DNS:work-enroll.example.com", "serverAuth", "P-256");
    Map<String, String> second =
        Map.of(
            "csr", ConsoleBrowser.field(explained, CSR).replace("&#43;", "+").replace("&#61;", "="),
            "profile", PROFILE,
            "key", ConsoleBrowser.field(explained, KEY));
    own.postForged(ENROLL, second).is(403);
    String location = own.post(ENROLL, second).is(303).header("Location");
    assertThat(own.get(location).is(200).text()).contains("work-enroll.example.com");
    // Sent twice, as an impatient person does.
    assertThat(own.post(ENROLL, second).is(303).header("Location")).isEqualTo(location);
  }

  @Test
  void enroll_refusedForCause_reasonAndNothingIssued() {
    ConsoleBrowser own = browser("enroll.token");
    Csr markup = csr("work-refused.example.com/O=" + MARKUP);
    assertThat(own.post(ENROLL, Map.of("csr", markup.pemText(), "profile", PROFILE)).is(200).text())
        .contains("O=&lt;img src=x onerror=alert(1)&gt;")
        .doesNotContain("<img src=x");
    assertThat(own.post(ENROLL, Map.of("csr", "no request", "profile", PROFILE)).is(400).text())
        .contains("not well formed");
    own.post(ENROLL, Map.of("csr", "", "profile", PROFILE)).is(400);
    own.post(ENROLL, Map.of("csr", markup.pemText(), "profile", "no such")).is(404);
    assertThat(
            own.post(ENROLL, Map.of("csr", markup.pemText(), "profile", "sub-ca")).is(200).text())
        .contains("It would be refused", "may not use profile sub-ca");
    own.post(ENROLL, Map.of("csr", markup.pemText(), "profile", "sub-ca", "key", "A".repeat(43)))
        .is(403);
    own.post(ENROLL, Map.of("csr", markup.pemText(), "profile", PROFILE, "key", "short")).is(400);
  }

  /** Refused, and nothing of it comes back or is in the node's log. */
  @Test
  void enroll_privateKey_refusedAndNotKept() {
    ConsoleBrowser own = browser("enroll.token");
    Csr csr = csr("work-key.example.com");
    String key = new String(Csr.read(csr.key()), StandardCharsets.US_ASCII);
    String secret = key.lines().skip(1).findFirst().orElseThrow();

    for (String sent :
        List.of(
            key,
            csr.pemText() + key,
            key.replace("BEGIN PRIVATE KEY", "begin private key"),
            String.join("", key.lines().filter(line -> !line.startsWith("-")).toList()))) {
      assertThat(own.post(ENROLL, Map.of("csr", sent, "profile", PROFILE)).is(400).text())
          .contains("private key")
          .doesNotContain(secret);
    }
    assertThat(TRIAL.trial().logs()).doesNotContain(secret);
  }

  @Test
  void enroll_formOf64KiB_othersStayAtFour() {
    ConsoleBrowser own = browser("enroll.token");
    String serial = enrolled("work-limit.example.com");
    Map<String, String> large = Map.of("csr", "x".repeat(40_000), "profile", PROFILE);

    own.post(ENROLL, large).is(400);
    own.post(ENROLL, Map.of("csr", "x".repeat(70_000))).is(413);
    own.post(PAGE + "/" + serial + "/revocation", large).is(413);
    own.post("/console/sign-out", large).is(413);
    assertThat(
            admin()
                .anonymous()
                .post(
                    ENROLL,
                    "application/x-www-form-urlencoded",
                    Api.ascii(ConsoleBrowser.encoded(large)))
                .status())
        .isIn(303, 403, 413);
  }

  /** Without the role there is no entry in the menu, no page, and no way by its form. */
  @Test
  void enroll_withoutTheRole_403() {
    ConsoleBrowser auditor = other("work-enroll-auditor", "AUDITOR");

    assertThat(auditor.get("/console/account").is(200).text())
        .contains("href=\"/console/certificates\"")
        .doesNotContain("href=\"/console/enroll\"");
    auditor.get(ENROLL).is(403);
    auditor.get(ENROLL + "/").is(403);
    auditor
        .post(ENROLL, Map.of("csr", csr("work-role.example.com").pemText(), "profile", PROFILE))
        .is(403);
  }
}

package org.sluiceca.blackbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** sslyze, a foreign judge of TLS servers, and what of its findings is a fault. */
final class TlsJudge {

  private static final String PROGRAM = "sslyze";

  /** Eleven seconds where a handshake takes milliseconds. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final List<String> SCANS =
      List.of(
          "sslv2",
          "sslv3",
          "tlsv1",
          "tlsv1_1",
          "tlsv1_2",
          "tlsv1_3",
          "reneg",
          "compression",
          "heartbleed",
          "openssl_ccs",
          "robot",
          "fallback",
          "early_data",
          "elliptic_curves",
          "ems");

  private static final List<String> OLD_PROTOCOLS =
      List.of("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1");

  private static final List<String> CURVES = List.of("X25519", "secp256r1", "secp384r1");

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private TlsJudge() {}

  static Optional<Path> installed() {
    return Checkout.tool(PROGRAM);
  }

  /** What is wrong with the server at a port of this machine, in sslyze's words. */
  static List<String> faults(int port, Path folder) {
    Path report = Csr.write(folder, "");
    List<Object> words = new ArrayList<>(List.of(installed().orElseThrow()));
    SCANS.forEach(scan -> words.add("--" + scan));
    words.addAll(List.of("--json_out=" + report, "localhost:" + port));
    Program.Ended ended = Program.of(words.toArray()).within(LIMIT).run();
    JsonNode scan = MAPPER.readTree(Csr.read(report)).path("server_scan_results").path(0);
    if (!scan.path("scan_status").asString("").equals("COMPLETED")) {
      throw new AssertionError(ended);
    }
    return faults(scan.path("scan_result"));
  }

  private static List<String> faults(JsonNode scans) {
    List<String> faults = new ArrayList<>();
    for (String protocol : OLD_PROTOCOLS) {
      suites(scans, protocol).forEach(suite -> faults.add(protocol + " with " + suite));
    }
    List<String> modern = suites(scans, "tls_1_2");
    modern.stream()
        .filter(suite -> !isForwardSecretAead(suite))
        .forEach(suite -> faults.add("tls_1_2 with " + suite));
    if (modern.isEmpty()) {
      faults.add("no tls_1_2");
    }
    if (suites(scans, "tls_1_3").isEmpty()) {
      faults.add("no tls_1_3");
    }
    result(scans, "elliptic_curves")
        .path("supported_curves")
        .valueStream()
        .map(curve -> curve.path("name").asString())
        .filter(curve -> !CURVES.contains(curve))
        .forEach(curve -> faults.add("curve " + curve));
    expect(faults, scans, "tls_compression", "supports_compression", false);
    expect(faults, scans, "tls_1_3_early_data", "supports_early_data", false);
    expect(faults, scans, "openssl_ccs_injection", "is_vulnerable_to_ccs_injection", false);
    expect(faults, scans, "heartbleed", "is_vulnerable_to_heartbleed", false);
    expect(faults, scans, "tls_fallback_scsv", "supports_fallback_scsv", true);
    expect(faults, scans, "tls_extended_master_secret", "supports_ems_extension", true);
    expect(faults, scans, "session_renegotiation", "supports_secure_renegotiation", true);
    expect(
        faults, scans, "session_renegotiation", "is_vulnerable_to_client_renegotiation_dos", false);
    String robot = result(scans, "robot").path("robot_result").asString("unknown");
    if (!robot.startsWith("NOT_VULNERABLE")) {
      faults.add("robot " + robot);
    }
    return faults;
  }

  private static boolean isForwardSecretAead(String suite) {
    return suite.startsWith("TLS_ECDHE_")
        && (suite.contains("_GCM_") || suite.contains("_CHACHA20_POLY1305_"));
  }

  private static List<String> suites(JsonNode scans, String protocol) {
    return result(scans, protocol + "_cipher_suites")
        .path("accepted_cipher_suites")
        .valueStream()
        .map(accepted -> accepted.path("cipher_suite").path("name").asString())
        .toList();
  }

  private static void expect(
      List<String> faults, JsonNode scans, String scan, String claim, boolean expected) {
    JsonNode found = result(scans, scan).path(claim);
    // Missing is no pass: a scan that did not run proves nothing.
    if (!found.isBoolean() || found.asBoolean() != expected) {
      faults.add(scan + ": " + claim + " is " + found);
    }
  }

  private static JsonNode result(JsonNode scans, String scan) {
    return scans.path(scan).path("result");
  }
}

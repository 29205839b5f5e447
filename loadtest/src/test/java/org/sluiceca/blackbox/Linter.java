package org.sluiceca.blackbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A foreign linter of certificates, if it is installed. */
enum Linter {
  /** What the RFCs and the community ask of every certificate. */
  ZLINT("zlint", "-excludeSources", "Apple,CABF_BR,CABF_EV,CABF_SMIME_BR,ETSI_ESI,Mozilla"),
  /** What browsers and their forum ask of public CAs, which a private one need not keep. */
  ZLINT_PUBLIC("zlint", "-includeSources", "Apple,CABF_BR,CABF_EV,CABF_SMIME_BR,ETSI_ESI,Mozilla"),
  PKILINT("lint_pkix_cert", "lint", "-s", "NOTICE", "-f", "JSON");

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final Set<String> SILENT = Set.of("pass", "na", "ne", "info");

  private final String program;
  private final String options;

  Linter(String program, String... options) {
    this.program = program;
    this.options = String.join(" ", options);
  }

  /**
   * One complaint.
   *
   * @param severity notice, warn, warning, error or fatal, in lower case
   */
  record Finding(String severity, String code, String detail) {

    boolean isError() {
      return severity.equals("error") || severity.equals("fatal");
    }

    @Override
    public String toString() {
      return severity + " " + code + (detail.isEmpty() ? "" : ": " + detail);
    }
  }

  Optional<Path> installed() {
    return Checkout.tool(program);
  }

  /** Judges one certificate in PEM. */
  List<Finding> judge(Path certificate) {
    List<Object> words = new ArrayList<>(List.of(installed().orElseThrow()));
    words.addAll(List.of(options.split(" ", -1)));
    words.add(certificate);
    Program.Ended ended = Program.of(words.toArray()).run();
    if (ended.bytes().length == 0) {
      throw new AssertionError(ended);
    }
    JsonNode report = MAPPER.readTree(ended.bytes());
    return this == PKILINT ? ofPkilint(report) : ofZlint(report);
  }

  private static List<Finding> ofZlint(JsonNode report) {
    // An empty report would pass everything.
    if (report.isEmpty()) {
      throw new AssertionError("zlint ran no lint");
    }
    return report
        .propertyStream()
        .map(
            lint ->
                new Finding(
                    lint.getValue().path("result").asString().toLowerCase(java.util.Locale.ROOT),
                    lint.getKey(),
                    lint.getValue().path("details").asString("")))
        .filter(finding -> !SILENT.contains(finding.severity()))
        .toList();
  }

  private static List<Finding> ofPkilint(JsonNode report) {
    return report
        .path("results")
        .valueStream()
        .flatMap(result -> result.path("finding_descriptions").valueStream())
        .map(
            finding ->
                new Finding(
                    finding.path("severity").asString().toLowerCase(java.util.Locale.ROOT),
                    finding.path("code").asString(),
                    finding.path("message").asString("")))
        .toList();
  }
}

package org.sluiceca.api.console.work.find;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.api.certificate.find.CertificateFinder.CertificateBody;
import tools.jackson.databind.json.JsonMapper;

/**
 * What was found, as a file.
 *
 * @param isComplete whether there is nothing more
 */
record FoundFile(List<CertificateBody> certificates, boolean isComplete) {

  /**
   * What begins so is a formula to a spreadsheet, also after what some take for the end of a cell,
   * and in full width; names come from requests.
   */
  private static final Pattern FORMULA =
      Pattern.compile(
          "^(?=[=+\\-@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20])"
              + "|(?<=[;\\t\\r\\n])(?=[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20])");

  private static final List<String> HEAD =
      List.of(
          "serial",
          "status",
          "subject",
          "subjectAltNames",
          "issuer",
          "profile",
          "requester",
          "notBefore",
          "notAfter",
          "issuedAt",
          "reason",
          "revocationDate");

  FoundFile {
    certificates = List.copyOf(certificates);
  }

  /** Its name says if it is not complete: a table has no other place for that. */
  String name(String extension) {
    String cut = isComplete ? "" : "-first-" + certificates.size();
    return "certificates" + cut + "." + extension;
  }

  byte[] json(JsonMapper json) {
    return json.writeValueAsBytes(Map.of("complete", isComplete, "certificates", certificates));
  }

  /** RFC 4180, every cell in quotes. */
  byte[] csv() {
    return Stream.concat(Stream.of(HEAD), certificates.stream().map(FoundFile::cells))
        .map(row -> row.stream().map(FoundFile::cell).collect(Collectors.joining(",", "", "\r\n")))
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> cells(CertificateBody found) {
    return List.of(
        found.serial(),
        found.status(),
        found.subject(),
        String.join(" ", found.subjectAltNames()),
        found.issuer(),
        found.profile(),
        found.requester(),
        found.notBefore(),
        found.notAfter(),
        found.issuedAt(),
        Optional.ofNullable(found.reason()).orElse(""),
        Optional.ofNullable(found.revocationDate()).orElse(""));
  }

  private static String cell(String text) {
    return '"' + FORMULA.matcher(text).replaceAll("'").replace("\"", "\"\"") + '"';
  }
}

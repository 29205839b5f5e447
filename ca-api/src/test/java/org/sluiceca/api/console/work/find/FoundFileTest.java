package org.sluiceca.api.console.work.find;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.certificate.find.CertificateFinder.CertificateBody;
import tools.jackson.databind.json.JsonMapper;

/** The files that people take away. */
class FoundFileTest {

  private static CertificateBody found(String subject) {
    return new CertificateBody(
        "01ab",
        "valid",
        subject,
        List.of("a.test", "b.test"),
        "issuing",
        "tls-server",
        "web",
        "2026-11-29T00:00:00Z",
        "2026-12-29T00:00:00Z",
        "2026-11-29T00:00:01Z",
        null,
        null);
  }

  private static String csv(String subject) {
    return new String(new FoundFile(List.of(found(subject)), true).csv(), StandardCharsets.UTF_8);
  }

  @Test
  void csv_quotesAndLineEnds_stayInTheirCell() {
    assertThat(csv("CN=\"a\",\r\nb"))
        .startsWith("\"serial\",\"status\",")
        .contains("\"CN=\"\"a\"\",\r\nb\"", "\"a.test b.test\"")
        .endsWith("\"\",\"\"\r\n");
  }

  /** A name comes from a request, and a spreadsheet would run it. */
  @Test
  void csv_formulas_areText() {
    for (String formula : List.of("=1+1", "+1", "-1", "@SUM(A1)", "\uFF1D1")) {
      assertThat(csv(formula)).contains("\"'" + formula + "\"");
    }
    assertThat(csv("\t=1")).contains("\"'\t'=1\"");
    // Where a semicolon ends a cell.
    assertThat(csv("O=x\\;=1+1;y")).contains("O=x\\;'=1+1;y");
  }

  @Test
  void name_cutFile_saysSo() {
    assertThat(new FoundFile(List.of(found("")), false).name("csv"))
        .isEqualTo("certificates-first-1.csv");
    assertThat(new FoundFile(List.of(), true).name("json")).isEqualTo("certificates.json");
    assertThat(
            new String(
                new FoundFile(List.of(), false).json(JsonMapper.shared()), StandardCharsets.UTF_8))
        .contains("\"complete\":false", "\"certificates\":[]");
  }
}

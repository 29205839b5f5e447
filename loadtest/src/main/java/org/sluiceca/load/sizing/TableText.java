package org.sluiceca.load.sizing;

import static org.sluiceca.load.page.Table.column;

import java.util.Optional;
import java.util.OptionalDouble;
import org.sluiceca.load.page.Lines;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.sizing.given.Hsm;

/** The sizing table in words. */
public final class TableText {

  private static final String NOT_MEASURED = "not measured";

  private TableText() {}

  /** Returns the table with the HSM that it was made with. */
  public static String of(SizingTable table, Optional<Hsm> hsm) {
    Lines text = new Lines();
    issuing(text, table);
    handshakes(text, table);
    text.begin("OCSP of one core of a node, full: %.0f kept answers/s", table.ocspPerCore());
    hsm.ifPresent(it -> signing(text, table, it));
    text.begin("Costs of %s. Plans leave two fifths of a core's time idle.", table.machine());
    return text.toString();
  }

  private static void issuing(Lines text, SizingTable table) {
    text.add("Certificates/s of one core of a node, full = 10^6 / (node + both verifications)");
    rows(
        text,
        Table.of(
            table.issuing(),
            column("  key", row -> "  " + row.key().text()),
            column("verified in, us", row -> Text.number(row.verifyMicros(), 0)),
            column("requested, P-256 issuer", row -> Text.number(row.requested(), 0)),
            column("signed with it, P-256 requested", row -> Text.number(row.signed(), 0)),
            column("both", row -> Text.number(row.both(), 0)),
            column("both against EC", row -> times(OptionalDouble.of(row.times())))));
  }

  private static void handshakes(Lines text, SizingTable table) {
    text.begin("TLS handshakes/s of one core of a node, full, their connections included");
    rows(
        text,
        Table.of(
            table.handshakes(),
            column("  server's key", row -> "  " + row.serverKey().text()),
            column("in full", row -> rate(row.full())),
            column("resumed", row -> rate(row.resumed())),
            column("against EC", row -> times(row.times()))));
    for (SizingTable.Client row : table.clients()) {
      text.add(
          "  %-28s %14.0f%s",
          "ec-p256, client " + row.clientKey().text(),
          row.full(),
          row.isMeasured() ? "" : "  by two verifications more");
    }
  }

  private static void signing(Lines text, SizingTable table, Hsm hsm) {
    text.begin("Signatures/s of one HSM: %s, %s", hsm.name(), hsm.source());
    rows(
        text,
        Table.of(
            table.signing(),
            column("  key", row -> "  " + row.key().text()),
            column("/s", row -> Text.number(row.perSecond(), 0)),
            column("ms in an engine", row -> Text.number(row.millis(), 1)),
            column("against EC", row -> times(row.times())),
            column("cores of nodes that fill it", row -> Text.number(row.cores(), 2))));
  }

  private static void rows(Lines text, Table table) {
    table.text().lines().forEach(line -> text.add("%s", line));
  }

  private static String rate(OptionalDouble perSecond) {
    return perSecond.isEmpty() ? NOT_MEASURED : Text.format("%.0f", perSecond.getAsDouble());
  }

  private static String times(OptionalDouble times) {
    return times.isEmpty() ? "" : Text.format("x %.2f", times.getAsDouble());
  }
}

package org.sluiceca.load.sizing;

import java.util.Optional;
import java.util.OptionalDouble;
import org.sluiceca.load.page.Lines;
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
    text.add(
        "  %-10s %12s %18s %18s %10s %12s",
        "key", "verified in", "requested, P-256", "signed with it,", "both", "both against");
    text.add("  %-10s %12s %18s %18s %10s %12s", "", "", "issuer", "P-256 requested", "", "EC");
    for (SizingTable.Issuing row : table.issuing()) {
      text.add(
          "  %-10s %9.0f us %18.0f %18.0f %10.0f %12s",
          row.key().text(),
          row.verifyMicros(),
          row.requested(),
          row.signed(),
          row.both(),
          times(row.times()));
    }
  }

  private static void handshakes(Lines text, SizingTable table) {
    text.begin("TLS handshakes/s of one core of a node, full, their connections included");
    text.add("  %-28s %14s %14s %12s", "server's key", "in full", "resumed", "against EC");
    for (SizingTable.Handshake row : table.handshakes()) {
      text.add(
          "  %-28s %14s %14s %12s",
          row.serverKey().text(),
          rate(row.full()),
          rate(row.resumed()),
          row.times().isEmpty() ? "" : times(row.times().getAsDouble()));
    }
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
    text.add(
        "  %-10s %12s %14s %12s %30s",
        "key", "/s", "in an engine", "against EC", "cores of nodes that fill it");
    for (SizingTable.Signing row : table.signing()) {
      text.add(
          "  %-10s %12.0f %11.1f ms %12s %30.2f",
          row.key().text(),
          row.perSecond(),
          row.millis(),
          row.times().isEmpty() ? "" : times(row.times().getAsDouble()),
          row.cores());
    }
  }

  private static String rate(OptionalDouble perSecond) {
    return perSecond.isEmpty() ? NOT_MEASURED : Text.format("%.0f", perSecond.getAsDouble());
  }

  private static String times(double times) {
    return Text.format("x %.2f", times);
  }
}

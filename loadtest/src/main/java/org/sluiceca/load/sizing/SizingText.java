package org.sluiceca.load.sizing;

import java.util.Locale;
import org.sluiceca.load.page.Lines;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.Machine;

/** A plan in words, with the formulas that it comes from. */
final class SizingText {

  private static final double MB = 1e6;
  private static final double GB = 1e9;
  private static final double TB = 1e12;

  /** A node's limit for a handshake: docs/performance/CONNECTIONS.md. */
  private static final int HANDSHAKE_SECONDS = 10;

  private SizingText() {}

  static String of(Demand demand, Machine machine, Hsm hsm, Sizing.Targets targets, Sized sized) {
    Lines text = new Lines();
    demand(text, demand, sized);
    signing(text, demand, hsm, targets, sized);
    nodes(text, demand, machine, targets, sized);
    handshakes(text, demand, machine, sized);
    database(text, machine, targets, sized);
    text.begin("What is full first (busiest hour, everything lost that may be lost)");
    for (Sized.Resource resource : sized.resources()) {
      text.add(
          "  %-28s %5.1f %%   %s",
          resource.name(),
          100 * resource.utilisation(),
          Double.isInfinite(resource.timesUntilFull())
              ? "never full"
              : "full at " + number(resource.timesUntilFull()) + " times the demand");
    }
    alternatives(text, sized);
    text.begin("HSM: %s, %s", hsm.name(), hsm.source());
    text.add("Costs of %s", machine.name());
    for (String lack : sized.lacks()) {
      text.add("NOT ENOUGH: %s", lack);
    }
    return text.toString();
  }

  private static void demand(Lines text, Demand demand, Sized sized) {
    text.add("Demand");
    for (Demand.Kind kind : demand.kinds()) {
      text.add(
          "  %-20s %,14.0f living, %6.0f days, %10s/s, signed with %s, keys %s",
          kind.name(),
          kind.living(),
          kind.lifetimeDays(),
          number(kind.perSecond()),
          kind.issuerKey().text(),
          kind.subjectKey().text());
    }
    text.add(
        "  certificates/s       %s = living / (2/3 of the lifetime); busiest hour %s = x %s",
        number(sized.perSecond()), number(sized.peakPerSecond()), number(demand.peakFactor()));
    text.add(
        "  OCSP answers/s       %s in the busiest hour, of which %s are signed; revoked a day %s",
        number(demand.ocspAtPeak()),
        number(demand.ocspSignedAtPeak()),
        number(demand.revokedPerDay()));
  }

  private static void signing(
      Lines text, Demand demand, Hsm hsm, Sizing.Targets targets, Sized sized) {
    Sized.Signing signing = sized.hsm();
    text.begin(
        "HSMs: %d (regions: %d, each with %d, of which %d spare)",
        signing.total(), demand.regions(), signing.perRegion(), demand.spare());
    text.add(
        "  needed in a region: %s HSMs' time = sum of signatures/s x seconds each; / %s allowed, rounded up, + spare: %d",
        number(signing.work()), number(targets.hsm()), signing.needed());
    text.add(
        "  when the spare ones are lost: %.1f %% busy; they carry %s certificates/s of this mixture at %s",
        100 * signing.utilisation(),
        Double.isInfinite(signing.carriesPerSecond()) ? "any" : number(signing.carriesPerSecond()),
        number(targets.hsm()));
    int engines = (signing.perRegion() - demand.spare()) * hsm.engines();
    text.add(
        "  a job waits %s for an engine and is signed in %s",
        time(signing.queue().waitSeconds()), time(signing.queue().serviceSeconds()));
    text.add(
        "    wait = C x time x (1 + v) / (2 x engines x (1 - busy)), C by Erlang, engines %d, v %.2f by the mixture",
        engines, signing.queue().variation());
    text.add(
        "  %s jobs in a region's HSMs = rate x (wait + service), Little's law",
        Double.isInfinite(signing.queue().jobs())
            ? "ever more"
            : Text.format("%.1f", signing.queue().jobs()));
  }

  private static void nodes(
      Lines text, Demand demand, Machine machine, Sizing.Targets targets, Sized sized) {
    Sized.Nodes nodes = sized.nodes();
    text.begin(
        "Nodes: %d (regions: %d, each with %d, of which %d spare), %d cores each: %d cores, %.1f GB of memory",
        nodes.whole().nodes(),
        demand.regions(),
        nodes.perRegion(),
        demand.spare(),
        targets.coresPerNode(),
        nodes.whole().cores(),
        nodes.whole().memoryMb() / 1_000);
    text.add(
        "  needed in a region: %d and the spare ones, %s",
        nodes.perRegion() - demand.spare(), nodes.neededFor());
    text.add(
        "  %s cores of a region busy = certificates x (%.0f us + both verifications) + handshakes x %.0f us + OCSP x %.0f us: %.1f %%, %s allowed",
        number(nodes.coresBusy()),
        machine.node().certificate(),
        nodes.handshakes().micros(),
        machine.node().ocsp(),
        100 * nodes.utilisation(),
        number(targets.processors()));
    text.add(
        "  %,d connections and %.0f MB each = %.0f MB + %.1f KB a connection",
        nodes.connections(),
        nodes.memoryMb(),
        machine.memory().baseMb(),
        machine.memory().connectionKb());
  }

  private static void handshakes(Lines text, Demand demand, Machine machine, Sized sized) {
    Sized.Handshakes handshakes = sized.nodes().handshakes();
    text.add(
        "  %s TLS handshakes/s, %s under way = rate x %.0f us (Little); %.0f %% resumed, %.0f %% of the others with a client's certificate",
        number(handshakes.perSecond()),
        number(handshakes.perSecond() * handshakes.micros() / 1e6),
        handshakes.micros(),
        100 * demand.resumedHandshakes(),
        100 * demand.clientCertificates());
    if (demand.handshakesAtOnce() > 0) {
      text.add(
          "  a crowd of %,d is connected after %.1f s of %s allowed = crowd x %.0f us / the cores that are idle",
          demand.handshakesAtOnce(),
          handshakes.crowdSeconds(),
          number(demand.handshakesWithinSeconds()),
          handshakes.crowdMicros());
      int nodes = sized.nodes().perRegion() - demand.spare();
      double each = (double) demand.handshakesAtOnce() / demand.regions() / nodes;
      if (each > machine.memory().connectionsMax()
          || handshakes.crowdSeconds() > HANDSHAKE_SECONDS) {
        text.add(
            "  these are %,.0f a node, which has %,d places and cuts who is not connected after %d s: some have to come again",
            each, machine.memory().connectionsMax(), HANDSHAKE_SECONDS);
      }
    }
  }

  private static void database(Lines text, Machine machine, Sizing.Targets targets, Sized sized) {
    Sized.Database database = sized.database();
    text.begin(
        "Database: one PostgreSQL of %d cores; standbys of the same size: %d",
        targets.databaseCores(), database.standbys());
    text.add(
        "  %s cores busy = certificates x %.0f us: %.1f %%, %s allowed",
        number(database.coresBusy()),
        machine.database(),
        100 * database.utilisation(),
        number(targets.processors()));
    text.add(
        "  grows by %s a day = certificates x (%.0f + %.0f of index) octets; %s after a year, and nothing leaves the ledger",
        size(database.bytesPerDay()),
        machine.disk().ledger(),
        machine.disk().index(),
        size(database.bytesInAYear()));
    text.add(
        "  write-ahead log: %s a second in the busiest hour, %s a day to archive = certificates x %.0f octets",
        size(database.logBytesPerSecond()), size(database.logBytesPerDay()), machine.disk().log());
  }

  private static void alternatives(Lines text, Sized sized) {
    text.begin("The same demand signed with another kind of key, OCSP as above");
    text.add(
        "  %-10s %14s %20s %14s %12s",
        "", "an HSM, /s", "a node's core, /s", "HSMs, no spare", "against EC");
    for (Sized.Alternative other : sized.alternatives()) {
      text.add(
          "  %-10s %14s %20.0f %14s %12s",
          other.issuerKey().text(),
          other.perHsmSecond().isEmpty() ? "not given" : number(other.perHsmSecond().getAsDouble()),
          other.perCoreSecond(),
          other.hsms().isEmpty() ? "-" : "" + other.hsms().getAsInt(),
          other.times().isEmpty() ? "-" : Text.format("x %.2f", other.times().getAsDouble()));
    }
  }

  private static String time(double seconds) {
    return Double.isInfinite(seconds) ? "without end" : number(1_000 * seconds) + " ms";
  }

  /** In the unit that leaves it three digits or so. */
  private static String size(double bytes) {
    if (bytes >= TB) {
      return Text.format("%.1f TB", bytes / TB);
    }
    return bytes >= GB ? Text.format("%.1f GB", bytes / GB) : number(bytes / MB) + " MB";
  }

  /**
   * Whole ones as they are, large ones without a fraction, small ones with two digits of theirs.
   */
  private static String number(double value) {
    if (value == Math.rint(value) || value >= 1_000) {
      return Text.format("%,.0f", value);
    }
    if (value >= 0.1) {
      return String.format(Locale.ROOT, value >= 100 ? "%.1f" : "%.2f", value);
    }
    return Text.format("%.2g", value);
  }
}

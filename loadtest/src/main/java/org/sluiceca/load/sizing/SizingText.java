package org.sluiceca.load.sizing;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.Machine;

/** A plan in words, with the formulas that it comes from. */
final class SizingText {

  private static final double GB = 1e9;

  private SizingText() {}

  static String of(Demand demand, Machine machine, Hsm hsm, Sizing.Targets targets, Sized sized) {
    StringBuilder text = new StringBuilder();
    demand(text, demand, sized);
    signing(text, demand, hsm, targets, sized);
    nodes(text, demand, machine, targets, sized);
    handshakes(text, demand, sized);
    database(text, machine, targets, sized);
    line(text, "");
    line(text, "What is full first (busiest hour, everything lost that may be lost)");
    for (Sized.Resource resource : sized.resources()) {
      line(
          text,
          "  %-28s %5.1f %%   full at %s times the demand",
          resource.name(),
          100 * resource.utilisation(),
          Double.isInfinite(resource.timesUntilFull())
              ? "any"
              : String.format(Locale.ROOT, "%.2f", resource.timesUntilFull()));
    }
    alternatives(text, sized);
    line(text, "");
    line(text, "HSM: %s, %s", hsm.name(), hsm.source());
    line(text, "Costs of %s", machine.name());
    for (String lack : sized.lacks()) {
      line(text, "NOT ENOUGH: %s", lack);
    }
    return text.toString();
  }

  private static void demand(StringBuilder text, Demand demand, Sized sized) {
    line(text, "Demand");
    for (Demand.Kind kind : demand.kinds()) {
      line(
          text,
          "  %-20s %,14.0f living, %6.0f days, %10.2f/s, signed with %s, keys %s",
          kind.name(),
          kind.living(),
          kind.lifetimeDays(),
          kind.perSecond(),
          kind.issuerKey().text(),
          kind.subjectKey().text());
    }
    line(
        text,
        "  certificates/s       %.2f = living / (2/3 of the lifetime); busiest hour %.2f = x %s",
        sized.perSecond(),
        sized.peakPerSecond(),
        number(demand.peakFactor()));
    line(
        text,
        "  OCSP answers/s       %.1f in the busiest hour, of which %.1f are signed; revoked a day %,.0f",
        demand.ocspAtPeak(),
        demand.ocspSignedAtPeak(),
        demand.revokedPerDay());
  }

  private static void signing(
      StringBuilder text, Demand demand, Hsm hsm, Sizing.Targets targets, Sized sized) {
    Sized.Signing signing = sized.hsm();
    line(text, "");
    line(
        text,
        "HSMs: %d (%d in each of %d regions)",
        signing.total(),
        signing.perRegion(),
        regions(demand));
    line(
        text,
        "  %.2f HSMs' time = sum of signatures/s x seconds each; / %s allowed, rounded up, + %d spare",
        signing.work(),
        number(targets.hsm()),
        demand.redundancy().spare());
    line(
        text,
        "  without the spare ones: %.1f %% busy; a job waits %s and is signed in %s (M/D/c, %d engines each)",
        100 * signing.utilisation(),
        time(signing.queue().waitSeconds()),
        time(signing.queue().serviceSeconds()),
        hsm.engines());
    line(
        text,
        "  %s jobs in a region's HSMs = rate x (wait + service), Little's law",
        Double.isInfinite(signing.queue().jobs())
            ? "ever more"
            : String.format(Locale.ROOT, "%.1f", signing.queue().jobs()));
    line(
        text,
        "  %d a region are needed; these carry %s certificates/s of this mixture at %s",
        signing.needed(),
        Double.isInfinite(signing.carriesPerSecond())
            ? "any"
            : String.format(Locale.ROOT, "%.1f", signing.carriesPerSecond()),
        number(targets.hsm()));
  }

  private static void nodes(
      StringBuilder text, Demand demand, Machine machine, Sizing.Targets targets, Sized sized) {
    Sized.Nodes nodes = sized.nodes();
    line(text, "");
    line(
        text,
        "Nodes: %d (%d a region, %d of them spare), %d cores each: %d cores, %.1f GB of memory",
        nodes.whole().nodes(),
        nodes.perRegion(),
        demand.redundancy().spare(),
        targets.coresPerNode(),
        nodes.whole().cores(),
        nodes.whole().memoryMb() / 1_000);
    line(
        text,
        "  %.2f cores of a region busy = certificates x (%.0f us + both verifications) + handshakes x %.0f us + OCSP x %.0f us; %.1f %%",
        nodes.coresBusy(),
        machine.node().certificate(),
        nodes.handshakes().micros(),
        machine.node().ocsp(),
        100 * nodes.utilisation());
    line(
        text,
        "  %,d connections and %.0f MB each = %.0f MB + %.1f KB a connection",
        nodes.connections(),
        nodes.memoryMb(),
        machine.memory().baseMb(),
        machine.memory().connectionKb());
  }

  private static void handshakes(StringBuilder text, Demand demand, Sized sized) {
    Sized.Handshakes handshakes = sized.nodes().handshakes();
    line(
        text,
        "  %.1f TLS handshakes/s, %.2f under way = rate x %.0f us (Little); %.0f %% resumed, %.0f %% of the others with a client's certificate",
        handshakes.perSecond(),
        handshakes.perSecond() * handshakes.micros() / 1e6,
        handshakes.micros(),
        100 * demand.tls().resumed(),
        100 * demand.tls().clientCertificates());
    if (demand.tls().crowd().handshakes() > 0) {
      line(
          text,
          "  a crowd of %,d is connected after %.1f s of %s allowed = crowd x %.0f us / the cores that are idle",
          demand.tls().crowd().handshakes(),
          handshakes.crowdSeconds(),
          number(demand.tls().crowd().withinSeconds()),
          handshakes.crowdMicros());
    }
  }

  private static void database(
      StringBuilder text, Machine machine, Sizing.Targets targets, Sized sized) {
    Sized.Database database = sized.database();
    line(text, "");
    line(
        text,
        "Database: one PostgreSQL of %d cores; standbys of the same size: %d",
        targets.databaseCores(),
        database.standbys());
    line(
        text,
        "  %.2f cores busy (%.0f us a certificate): %.1f %%; log %.1f MB/s",
        database.coresBusy(),
        machine.database(),
        100 * database.utilisation(),
        database.logBytesPerSecond() / 1e6);
    line(
        text,
        "  grows by %.1f GB a day, %.0f GB after a year",
        database.bytesPerDay() / GB,
        database.bytesInAYear() / GB);
  }

  private static void alternatives(StringBuilder text, Sized sized) {
    line(text, "");
    line(text, "The same demand signed with another kind of key");
    line(
        text,
        "  %-10s %14s %20s %14s %12s",
        "",
        "an HSM, /s",
        "a node's core, /s",
        "HSMs a region",
        "against EC");
    for (Sized.Alternative other : sized.alternatives()) {
      line(
          text,
          "  %-10s %14s %20.0f %14s %12s",
          other.issuerKey().text(),
          other.perHsmSecond() == 0 ? "not given" : number(other.perHsmSecond()),
          other.perCoreSecond(),
          other.hsms() == 0 ? "" : "" + other.hsms(),
          other.times() == 0 ? "" : String.format(Locale.ROOT, "x %.1f", other.times()));
    }
  }

  private static int regions(Demand demand) {
    return demand.redundancy().regions();
  }

  private static String time(double seconds) {
    return Double.isInfinite(seconds)
        ? "for ever"
        : String.format(Locale.ROOT, "%.1f ms", 1_000 * seconds);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  @FormatMethod
  private static void line(StringBuilder text, @FormatString String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}

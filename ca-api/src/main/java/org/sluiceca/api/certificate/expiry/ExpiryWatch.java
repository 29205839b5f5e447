package org.sluiceca.api.certificate.expiry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.sluiceca.api.certificate.store.CredentialEnds;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.x509.CertificateDer;

/**
 * Shows when certificates and credentials end, as Unix times. A thread of its own looks at
 * certificates every five seconds and at credentials once a minute; a scrape reads what the last
 * look has found. Tags are names of issuers, which the ceremony gives, and roles. When a look fails
 * its last values stay.
 */
public final class ExpiryWatch implements AutoCloseable {

  /** Of certificates, which are in memory: a responder that came after the start is soon seen. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** Of credentials, which are in the database, in periods: a minute. */
  private static final int CREDENTIALS_EVERY = 12;

  private static final String ISSUER = "issuer";

  /**
   * What is looked at.
   *
   * @param issuers all rows; must not block
   * @param responders the OCSP responders that sign now, those of retired issuers among them; must
   *     not block
   * @param node the end of the node's TLS certificate, once it has one; must not block
   * @param credentials may ask the database
   */
  public record Sources(
      Supplier<List<RegisteredIssuer>> issuers,
      Supplier<Collection<Responder>> responders,
      Supplier<Optional<Instant>> node,
      Supplier<List<CredentialEnds.End>> credentials) {}

  private final Sources sources;
  private final MultiGauge issuers;
  private final MultiGauge chains;
  private final MultiGauge responders;
  private final MultiGauge firstCredentials;
  private final MultiGauge lastCredentials;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              ExpiryWatch.class,
              "expiry-watch",
              "what expires cannot be read",
              Duration.ZERO,
              PERIOD,
              Duration.ZERO),
          isStopping -> step());

  /** Looks at certificates since credentials were looked at. Owned by the thread. */
  private int looks;

  /** One that has ended signs no more, and its last end still matters. Owned by the thread. */
  private final Map<String, Instant> responderEnds = new TreeMap<>();

  // What the rows are of: certificates are read again only when there are others. Both are owned by
  // the thread.
  private List<RegisteredIssuer> seenIssuers = List.of();
  private List<Responder> seenResponders = List.of();

  /** What is shown, by gauge and tags: some for each issuer and role. Owned by the thread. */
  private final Map<String, AtomicLong> ends = new HashMap<>();

  /** Registers the metrics in {@code registry}; {@link #start} starts the thread. */
  public ExpiryWatch(Sources sources, MeterRegistry registry) {
    this.sources = sources;
    this.issuers = MultiGauge.builder("ca.issuer.not.after.timestamp.seconds").register(registry);
    this.chains =
        MultiGauge.builder("ca.issuer.chain.not.after.timestamp.seconds").register(registry);
    this.responders =
        MultiGauge.builder("ca.ocsp.responder.not.after.timestamp.seconds").register(registry);
    this.firstCredentials =
        MultiGauge.builder("ca.credential.first.end.timestamp.seconds").register(registry);
    this.lastCredentials =
        MultiGauge.builder("ca.credential.last.end.timestamp.seconds").register(registry);
    Gauge.builder(
            "ca.tls.not.after.timestamp.seconds",
            sources.node(),
            node -> node.get().map(end -> (double) end.getEpochSecond()).orElse(Double.NaN))
        .strongReference(true)
        .register(registry);
  }

  /** Starts the thread, which looks at once. */
  public void start() {
    task.start();
  }

  private Duration step() {
    lookAtCertificates();
    if (looks == 0) {
      lookAtCredentials();
    }
    looks = (looks + 1) % CREDENTIALS_EVERY;
    return PERIOD;
  }

  /** Looks once. Blocks as the sources do. */
  void look() {
    lookAtCertificates();
    lookAtCredentials();
  }

  private void lookAtCertificates() {
    List<RegisteredIssuer> rows = sources.issuers().get();
    List<Responder> signing = List.copyOf(sources.responders().get());
    if (rows.equals(seenIssuers) && signing.equals(seenResponders)) {
      return;
    }
    List<Row<?>> own = new ArrayList<>();
    List<Row<?>> above = new ArrayList<>();
    for (RegisteredIssuer row : rows) {
      List<CertificateDer> certificates = row.certificates();
      Tags name = Tags.of(ISSUER, row.name().value());
      own.add(
          row(
              "issuer",
              name.and("state", row.state().name().toLowerCase(Locale.ROOT)),
              end(certificates.getFirst())));
      certificates.stream()
          .skip(1)
          .map(ExpiryWatch::end)
          .min(Comparator.naturalOrder())
          .ifPresent(end -> above.add(row("chain", name, end)));
    }
    issuers.register(own);
    chains.register(above);
    for (Responder responder : signing) {
      responderEnds.put(responder.issuer().value(), responder.validity().notAfter());
    }
    responders.register(
        responderEnds.entrySet().stream()
            .<Row<?>>map(e -> row("responder", Tags.of(ISSUER, e.getKey()), e.getValue()))
            .toList());
    seenIssuers = rows;
    seenResponders = signing;
  }

  private void lookAtCredentials() {
    List<Row<?>> first = new ArrayList<>();
    List<Row<?>> last = new ArrayList<>();
    for (CredentialEnds.End end : sources.credentials().get()) {
      Tags role = Tags.of("role", end.role().name().toLowerCase(Locale.ROOT));
      first.add(row("first", role, end.first()));
      last.add(row("last", role, end.last()));
    }
    firstCredentials.register(first);
    lastCredentials.register(last);
  }

  /**
   * The row of a gauge, whose number changes in its place: a row that is registered again is twice
   * there for a moment, and a scrape then fails.
   */
  private Row<?> row(String gauge, Tags tags, Instant end) {
    AtomicLong shown = ends.computeIfAbsent(gauge + tags, _ -> new AtomicLong());
    shown.set(end.getEpochSecond());
    return Row.of(tags, shown, AtomicLong::doubleValue);
  }

  private static Instant end(CertificateDer certificate) {
    try {
      return CertificateReader.read(certificate).fields().validity().notAfter();
    } catch (DerException e) {
      throw new IllegalStateException("a registered certificate is bad: " + e.fault(), e);
    }
  }

  @Override
  public void close() {
    task.close();
  }
}

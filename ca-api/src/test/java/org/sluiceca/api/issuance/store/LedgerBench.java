package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.sluiceca.api.certificate.index.store.CertificateIndex;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/**
 * What a certificate costs PostgreSQL, and how many share a commit. First by the size of a group
 * commit: a transaction has that number of intents, and the outcomes of those before, so that the
 * size is not left to chance, whatever else the machine does. Then by the number of callers,
 * through the group commit itself.
 *
 * <p>{@code LedgerBench CERTIFICATES SECONDS ROUNDS SIZES CALLERS}, lists with commas.
 */
final class LedgerBench {

  private static final NodeId NODE = new NodeId("node-0.0123456789abcdef");
  private static final ClaimTerms TERMS = new ClaimTerms(NODE, Duration.ofSeconds(15));
  private static final Duration LIFETIME = Duration.ofDays(47);
  private static final Deadline DEADLINE = Deadline.after(Duration.ofHours(1), System::nanoTime);
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");

  private static final String WRITER = "writer";
  private static final String INDEX = "index";
  private static final String RECOVERY = "recovery";
  private static final double NANOS_PER_MILLI = 1e6;

  /** What a node at 1,200 a second has for the index each quarter of a second. */
  private static final int INDEXED_AT_ONCE = 256;

  /** And what it issues between two passes of recovery. */
  private static final int SWEPT_AT_ONCE = 3_600;

  // Of passes alone, so that what was issued a moment ago is old enough for them.
  private static final ClaimTerms SWEEP = new ClaimTerms(NODE, Duration.ofMillis(1));

  private final LedgerDatabase database;
  private final JdbcTransaction transaction;
  private final CertificateIndex index;
  private final ServerCosts server;
  private final AtomicLong made = new AtomicLong();
  private int unindexed;
  private int unswept;
  private List<OutcomeRow> signed = List.of();

  private LedgerBench(Address address) throws SQLException {
    this.server = new ServerCosts(address);
    this.database = new LedgerDatabase(address);
    database.migrate();
    this.transaction = new JdbcTransaction(database.writing(), database.partitions());
    this.index = new CertificateIndex(database);
    server.name(WRITER, database.writing(), 2);
    server.name(INDEX, database.finding(), 3);
    server.name(RECOVERY, database.general(), 4);
  }

  public static void main(String[] arguments) throws Exception {
    int certificates = Integer.parseInt(arguments[0]);
    Duration time = Duration.ofSeconds(Integer.parseInt(arguments[1]));
    int rounds = Integer.parseInt(arguments[2]);
    LedgerBench bench = new LedgerBench(PostgresForTests.get().freshDatabase());
    // Prepares what is prepared at the fifth time, and fills the caches.
    bench.issue(4 * INDEXED_AT_ONCE, 16);
    bench.loop(16, time);
    for (int round = 0; round < rounds; round++) {
      System.out.println("size  us: all writer index recovery other | log octets | load");
      for (int size : numbers(arguments[3])) {
        bench.measure(certificates, size);
      }
      System.out.println("callers  certificates/s  a commit  p50 p99 ms | us: writer | load");
      for (int callers : numbers(arguments[4])) {
        System.out.println(bench.loop(callers, time));
      }
    }
    // The server ends with the JVM.
    System.exit(0);
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private void measure(int certificates, int size) throws Exception {
    ServerCosts.Sum before = server.now();
    issue(certificates, size);
    ServerCosts.Sum cost = server.now().minus(before);
    System.out.printf(
        Locale.ROOT,
        "%4d %9.1f %6.1f %5.1f %8.1f %5.1f | %10.0f | %4s%n",
        size,
        cost.micros() / certificates,
        cost.micros(WRITER) / certificates,
        cost.micros(INDEX) / certificates,
        cost.micros(RECOVERY) / certificates,
        cost.micros(ServerCosts.OTHER) / certificates,
        cost.logOctets() / (double) certificates,
        ServerCosts.load());
  }

  /** Callers of the ledger in a closed loop: an intent, its outcome, and again. */
  private String loop(int callers, Duration time) throws Exception {
    LongAdder commits = new LongAdder();
    Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    ServerCosts.Sum before = server.now();
    try (PostgresLedgerStore store =
            new PostgresLedgerStore(
                database, TERMS.lifetime(), (rows, took) -> commits.increment(), System::nanoTime);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Deadline end = Deadline.after(time, System::nanoTime);
      for (int i = 0; i < callers; i++) {
        threads.execute(
            () -> {
              while (!end.hasPassed(System::nanoTime)) {
                long start = System.nanoTime();
                issue(store);
                nanos.add(System.nanoTime() - start);
              }
            });
      }
    }
    ServerCosts.Sum cost = server.now().minus(before);
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%7d %15.0f %9.2f %5.1f %5.1f | %8.1f | %4s",
        callers,
        sorted.length / (double) time.toSeconds(),
        sorted.length / commits.doubleValue(),
        sorted[sorted.length / 2] / NANOS_PER_MILLI,
        sorted[sorted.length * 99 / 100] / NANOS_PER_MILLI,
        cost.micros(WRITER) / sorted.length,
        ServerCosts.load());
  }

  private void issue(PostgresLedgerStore store) {
    Intent intent = intent();
    var recorded = store.recordIntent(intent, TERMS, DEADLINE);
    OutcomeRow row = outcome(intent.serialNumber());
    var decided = store.recordOutcome(row.serialNumber(), row.outcome(), row.claim(), DEADLINE);
    if (!(recorded instanceof IntentAnswer.Recorded && decided instanceof OutcomeAnswer.Recorded)) {
      throw new IllegalStateException(String.format(Locale.ROOT, "%s, %s", recorded, decided));
    }
  }

  private void issue(int certificates, int size) throws Exception {
    for (int issued = 0; issued < certificates; issued += size) {
      List<IntentRow> intents = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        intents.add(new IntentRow(intent(), TERMS, DEADLINE));
      }
      transaction.commit(intents, signed).run();
      signed = intents.stream().map(r -> outcome(r.serialNumber())).toList();
      unindexed += size;
      if (unindexed >= INDEXED_AT_ONCE) {
        unindexed = 0;
        if (index.take().isEmpty()) {
          throw new IllegalStateException("another node indexes");
        }
      }
      unswept += size;
      if (unswept >= SWEPT_AT_ONCE) {
        unswept = 0;
        try (Connection connection = database.general().getConnection()) {
          new RecoverySweep(connection, SWEEP).claimExpired(0);
        }
      }
    }
  }

  private OutcomeRow outcome(SerialNumber serialNumber) {
    return new OutcomeRow(
        serialNumber,
        new Outcome.Issued(Intents.signature(made.get())),
        new Claim(NODE, 0, DEADLINE),
        DEADLINE);
  }

  /** With the extensions of the profile tls-server. */
  private Intent intent() {
    long number = made.getAndIncrement();
    Instant notBefore = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    SerialNumber serialNumber =
        new SerialNumbers(new SplittableRandom(number * 0x9E3779B97F4A7C15L))
            .next(notBefore.plus(LIFETIME));
    String host = "host-" + number + ".example.test";
    byte[] identifier = Arrays.copyOf(serialNumber.octets(), 20);
    TbsCertificate fields =
        new TbsCertificate(
            OctetString.copyOf(serialNumber.octets()),
            SignatureAlgorithm.ECDSA_SHA256,
            NameCodec.write(commonName("Sluice Trial Issuing CA")),
            new Validity(notBefore, notBefore.plus(LIFETIME)),
            NameCodec.write(commonName(host)),
            KEY.publicKey(),
            List.of(
                Extensions.authorityKeyIdentifier(identifier),
                Extensions.subjectKeyIdentifier(identifier),
                Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE)),
                Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.SERVER_AUTH)),
                Extensions.authorityInformationAccess(
                    "http://localhost:8080/issuers/issuing.cer",
                    Optional.of("http://localhost:8080/ocsp/issuing")),
                Extensions.crlDistributionPoint("http://localhost:8080/crls/issuing.crl"),
                Extensions.subjectAltName(List.of(new GeneralName.Dns(host)), false)));
    return new Intent(
        serialNumber,
        TbsCertificateWriter.write(fields),
        SignatureAlgorithm.ECDSA_SHA256,
        new Intent.Origin(
            new RequesterId("trial"),
            new ProfileName("tls-server"),
            new IssuerName("issuing"),
            OptionalInt.of(1)),
        Optional.empty(),
        OctetString.copyOf(Arrays.copyOf(identifier, 32)));
  }

  private static DistinguishedName commonName(String value) {
    return new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, value)));
  }
}

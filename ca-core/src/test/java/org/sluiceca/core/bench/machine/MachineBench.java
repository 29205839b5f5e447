package org.sluiceca.core.bench.machine;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.ProviderVerifier;
import org.sluiceca.core.verify.SignatureVerifier;

/**
 * {@code MachineBench FOLDER SECONDS}: prints CPU microseconds of one core, a name, a number and
 * how they were measured a line, between tabs. A round lasts SECONDS; three rounds after two of
 * warm-up, of which the median counts. Two minutes at one second.
 */
final class MachineBench {

  private static final int WARM_UPS = 2;
  private static final int ROUNDS = 3;
  private static final List<String> KINDS =
      List.of("rsa-2048", "rsa-3072", "rsa-4096", "ec-p256", "ec-p384", "ed25519");

  /** One thing whose server's or verifier's CPU nanoseconds are returned. */
  private interface Timed {
    long nanos() throws SSLException;
  }

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final long roundNanos;

  private MachineBench(double seconds) {
    this.roundNanos = (long) (seconds * 1e9);
  }

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    if (arguments.length != 2) {
      System.err.println("usage: MachineBench FOLDER SECONDS");
      System.exit(2);
    }
    MachineBench bench = new MachineBench(Double.parseDouble(arguments[1]));
    bench.verifications();
    bench.handshakes(new Identities(Path.of(arguments[0])));
  }

  private void verifications() throws SSLException {
    AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
    boolean isNative = provider.getLoadingError() == null;
    SignatureVerifier verifier =
        isNative ? new ProviderVerifier(provider) : new BouncyCastleVerifier();
    for (String kind : KINDS) {
      Verifications all = new Verifications(kind, verifier);
      if (!all.one() || all.isFooled()) {
        throw new IllegalStateException("the verifier does not know right from wrong: " + kind);
      }
      print(
          "verify/" + kind,
          median(() -> timed(all::one)),
          isNative && !kind.equals("ed25519") ? "native library" : "Java");
    }
  }

  private void handshakes(Identities identities) throws IOException, GeneralSecurityException {
    KeyStore trusted = identities.trusted();
    String how = "server's part of TLS 1.3 by the JDK's engine, no sockets";
    for (String kind : List.of("ec-p256", "rsa-2048")) {
      KeyStore server = identities.make("server-" + kind, kind);
      TlsHandshakes plain = new TlsHandshakes(server, Optional.empty(), trusted);
      print("engine/full/" + kind, median(() -> of(plain.full(), false, false)), how);
      long _ = of(plain.full(), false, false);
      print("engine/resumed/" + kind, median(() -> of(plain.resumed(), true, false)), how);
    }
    KeyStore server = identities.make("server", "ec-p256");
    for (String kind : KINDS) {
      TlsHandshakes mutual =
          new TlsHandshakes(server, Optional.of(identities.make("client-" + kind, kind)), trusted);
      print("engine/client/" + kind, median(() -> of(mutual.full(), false, true)), how);
    }
  }

  /** A handshake that is another than was meant is no measurement. */
  private static long of(TlsHandshakes.Made made, boolean isResumed, boolean isClientKnown) {
    if (made.isResumed() != isResumed || made.isClientKnown() != isClientKnown) {
      throw new IllegalStateException("not the handshake that was meant: " + made);
    }
    return made.nanos();
  }

  private long timed(BooleanSupplier verification) {
    long begun = threads.getCurrentThreadCpuTime();
    if (!verification.getAsBoolean()) {
      throw new IllegalStateException("a good signature was refused");
    }
    return threads.getCurrentThreadCpuTime() - begun;
  }

  private double median(Timed timed) throws SSLException {
    for (int i = 0; i < WARM_UPS; i++) {
      double _ = round(timed);
    }
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      rounds[i] = round(timed);
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }

  /** Returns the mean microseconds of a round. */
  private double round(Timed timed) throws SSLException {
    long until = System.nanoTime() + roundNanos;
    long sum = 0;
    long count = 0;
    do {
      sum += timed.nanos();
      count++;
    } while (System.nanoTime() < until);
    return sum / 1e3 / count;
  }

  private static void print(String name, double micros, String how) {
    System.out.println(String.format(Locale.ROOT, "%s\t%.2f\t%s", name, micros, how));
  }
}

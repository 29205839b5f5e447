package org.sluiceca.hsm.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;

/**
 * Signatures through the lane alongside signatures in a loop over the same sessions without it: the
 * difference in CPU time of this process and in bytes is what the lane costs. Always more requests
 * than sessions, distinct messages.
 *
 * <p>{@code LaneBench MODULE LABEL PIN-FILE SESSIONS REQUESTERS SECONDS}
 */
public final class LaneBench {
  private static final CkaId KEY = CkaId.parse("be");
  private static final Mechanism MECHANISM = Mechanism.ECDSA_SHA256;
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final int TBS_BYTES = 800;
  private static final int FLOWS = 8;
  private static final int ROUNDS = 3;

  private final Path module;
  private final String label;
  private final PinFile pin;
  private final int sessions;
  private final int requesters;
  private final Duration length;

  private LaneBench(List<String> arguments) {
    this.module = Path.of(arguments.get(0));
    this.label = arguments.get(1);
    this.pin = new PinFile(Path.of(arguments.get(2)));
    this.sessions = Integer.parseInt(arguments.get(3));
    this.requesters = Integer.parseInt(arguments.get(4));
    this.length = Duration.ofSeconds(Long.parseLong(arguments.get(5)));
  }

  /** One signature after the other until it is stopped. */
  @FunctionalInterface
  private interface Loop {
    void sign(int worker, long number);
  }

  private record Cost(double perSecond, double cpuMicros, double bytes) {
    @Override
    public String toString() {
      return "%9.0f %14.1f %14.0f".formatted(perSecond, cpuMicros, bytes);
    }
  }

  /** Runs the benchmark; six arguments, see above. */
  public static void main(String[] arguments) throws InterruptedException {
    Locale.setDefault(Locale.ROOT);
    new LaneBench(List.of(arguments)).run();
  }

  private void run() throws InterruptedException {
    KeyRef key;
    try (KeyCeremony ceremony = KeyCeremony.open(module, label, pin)) {
      key = ceremony.generateIfAbsent(KEY, "bench", KeyAlgorithm.EC_P256);
    }
    System.out.printf(
        "%-8s %9s %14s %14s   %d sessions, %d requesters%n",
        "way", "sign/s", "CPU us/sign", "bytes/sign", sessions, requesters);
    for (int round = 0; round < ROUNDS; round++) {
      Cost direct = direct(key, round == 0 ? WARM_UP : Duration.ofSeconds(1));
      Cost lane = lane(key, round == 0 ? WARM_UP : Duration.ofSeconds(1));
      System.out.println("loop     " + direct);
      System.out.println("lane     " + lane);
      System.out.printf(
          "lane costs %.1f us and %.0f bytes more, at %.1f %% of the rate%n",
          lane.cpuMicros() - direct.cpuMicros(),
          lane.bytes() - direct.bytes(),
          100 * lane.perSecond() / direct.perSecond());
    }
  }

  private Cost direct(KeyRef key, Duration warmUp) throws InterruptedException {
    WrapperCryptoki cryptoki = WrapperCryptoki.load(module);
    Token token = Token.find(cryptoki, label);
    List<Session> open = new ArrayList<>();
    try {
      List<Long> handles = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        Session session = token.openSession(false);
        open.add(session);
        token.login(session, pin, ckr -> false);
        handles.add(session.findPrivateKey(key));
      }
      return measure(
          Thread.ofPlatform(),
          sessions,
          warmUp,
          (worker, number) -> {
            byte[] input = MECHANISM.tokenInput(message(worker, number));
            byte[] _ = open.get(worker).sign(MECHANISM, handles.get(worker), input);
          });
    } finally {
      open.forEach(Session::close);
    }
  }

  private Cost lane(KeyRef key, Duration warmUp) throws InterruptedException {
    HsmSettings settings = HsmSettings.of(module, label, pin).withSessions(sessions);
    try (HsmSigner signer = HsmSigner.open(settings, List.of(key), HsmObserver.NONE)) {
      return measure(
          Thread.ofVirtual(),
          requesters,
          warmUp,
          (worker, number) -> {
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            SignSchedule schedule =
                new SignSchedule(Lane.INTERACTIVE, "flow-" + worker % FLOWS, deadline, deadline);
            byte[] _ =
                signer.sign(new SignRequest(key, MECHANISM, message(worker, number), schedule));
          });
    }
  }

  private static byte[] message(int worker, long number) {
    byte[] message = new byte[TBS_BYTES];
    message[0] = (byte) worker;
    message[1] = (byte) number;
    message[2] = (byte) (number >> 8);
    message[3] = (byte) (number >> 16);
    return message;
  }

  /** A benchmark has nothing to wait for but time. */
  private static void pause(Duration time) throws InterruptedException {
    boolean _ = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Cost measure(Thread.Builder builder, int workers, Duration warmUp, Loop loop)
      throws InterruptedException {
    LongAdder signatures = new LongAdder();
    AtomicBoolean stopped = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      int worker = i;
      threads.add(
          builder.start(
              () -> {
                for (long number = 0; !stopped.get(); number++) {
                  loop.sign(worker, number);
                  signatures.increment();
                }
              }));
    }
    pause(warmUp);
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    ThreadMXBean heap = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long cpu = process.getProcessCpuTime();
    long bytes = heap.getTotalThreadAllocatedBytes();
    long count = signatures.sum();
    long start = System.nanoTime();
    pause(length);
    double made = signatures.sum() - count;
    Cost cost =
        new Cost(
            made * 1e9 / (System.nanoTime() - start),
            (process.getProcessCpuTime() - cpu) / 1e3 / made,
            (heap.getTotalThreadAllocatedBytes() - bytes) / made);
    stopped.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    return cost;
  }
}

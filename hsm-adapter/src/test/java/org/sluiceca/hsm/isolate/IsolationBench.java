package org.sluiceca.hsm.isolate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;

/**
 * What a signature costs in process and isolated: time and processor time, by paired runs; and the
 * memory of both. Started by {@code ./sluice bench isolation}. Arguments: a folder with
 * fault_pkcs11.so, whose token is labelled {@code bench}; seconds of a run; pairs.
 */
public final class IsolationBench {
  private static final int[] SESSIONS = {1, 8};
  private static final int WARM_UP_RUNS = 2;
  private static final byte[] DIGEST = new byte[32];

  /** What one run gave: microseconds of time, and of processor time of node and child. */
  private record Run(double rate, double wallMicros, double nodeMicros, double childMicros) {}

  private final Path folder;
  private final double seconds;
  private final int pairs;
  private final PinFile pin;

  private IsolationBench(Path folder, double seconds, int pairs) {
    this.folder = folder;
    this.seconds = seconds;
    this.pairs = pairs;
    this.pin = new PinFile(folder.resolve("pin"));
  }

  /** Prints a table. */
  public static void main(String[] arguments) throws Exception {
    IsolationBench bench =
        new IsolationBench(
            Path.of(arguments[0]),
            Double.parseDouble(arguments[1]),
            Integer.parseInt(arguments[2]));
    System.out.printf(
        "%-28s %9s %9s %9s %9s %9s %9s %9s%n",
        "", "in /s", "out /s", "in us", "out us", "in CPU", "node CPU", "child CPU");
    bench.compare("module that costs nothing", true);
    bench.compare("SoftHSM, P-256", false);
  }

  private void compare(String name, boolean isFake) throws Exception {
    Path flag = folder.resolve("fake");
    boolean _ = Files.deleteIfExists(flag);
    Path library = folder.resolve("fault_pkcs11.so");
    KeyRef key;
    try (KeyCeremony ceremony = KeyCeremony.open(library, "bench", pin)) {
      key = ceremony.generateIfAbsent(CkaId.parse("01"), "bench", KeyAlgorithm.EC_P256);
    }
    if (isFake) {
      Path made = Files.createFile(flag);
      assert made.equals(flag);
    }
    WrapperCryptoki inProcess = WrapperCryptoki.load(library);
    if (!inProcess.reinitialise()) {
      throw new IllegalStateException("the module is not quiet");
    }
    long before = resident(ProcessHandle.current().pid());
    try (IsolatedCryptoki isolated = IsolatedCryptoki.start(library, "bench", HsmObserver.NONE)) {
      for (int sessions : SESSIONS) {
        compare(name, key, new Pair(inProcess, isolated), sessions);
      }
      System.out.printf(
          "  resident: child %.1f MB, of which its own %.1f MB; node %.1f MB before, %.1f MB after%n",
          resident(isolated.pid()) / 1024.0,
          Processes.field(isolated.pid(), "status", "RssAnon:") / 1024.0,
          before / 1024.0,
          resident(ProcessHandle.current().pid()) / 1024.0);
    }
  }

  private record Pair(Cryptoki inProcess, IsolatedCryptoki isolated) {}

  private void compare(String name, KeyRef key, Pair modules, int sessions) throws Exception {
    List<Run> inside = new ArrayList<>();
    List<Run> outside = new ArrayList<>();
    for (int pair = -WARM_UP_RUNS; pair < pairs; pair++) {
      Run in = run(modules.inProcess(), key, sessions, 0);
      Run out = run(modules.isolated(), key, sessions, modules.isolated().pid());
      if (pair >= 0) {
        inside.add(in);
        outside.add(out);
      }
    }
    System.out.printf(
        "%-28s %9.0f %9.0f %9.1f %9.1f %9.1f %9.1f %9.1f%n",
        name + ", " + sessions,
        median(inside.stream().mapToDouble(Run::rate).toArray()),
        median(outside.stream().mapToDouble(Run::rate).toArray()),
        median(inside.stream().mapToDouble(Run::wallMicros).toArray()),
        median(outside.stream().mapToDouble(Run::wallMicros).toArray()),
        median(inside.stream().mapToDouble(Run::nodeMicros).toArray()),
        median(outside.stream().mapToDouble(Run::nodeMicros).toArray()),
        median(outside.stream().mapToDouble(Run::childMicros).toArray()));
  }

  private Run run(Cryptoki module, KeyRef key, int sessions, long child) throws Exception {
    List<Session> open = new ArrayList<>();
    Token token = Token.find(module, "bench");
    for (int i = 0; i < sessions; i++) {
      Session session = token.openSession(false);
      token.login(session, pin, ckr -> false);
      open.add(session);
    }
    long nodeBefore = cpuMicros(ProcessHandle.current().pid());
    long childBefore = cpuMicros(child);
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long signed = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(sessions)) {
      List<Future<Long>> counts = new ArrayList<>();
      for (Session session : open) {
        counts.add(threads.submit(() -> signUntil(session, key, end)));
      }
      for (Future<Long> count : counts) {
        signed += count.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    double micros = (System.nanoTime() - start) / 1e3;
    Run run =
        new Run(
            signed / (micros / 1e6),
            micros * sessions / signed,
            (double) (cpuMicros(ProcessHandle.current().pid()) - nodeBefore) / signed,
            (double) (cpuMicros(child) - childBefore) / signed);
    open.forEach(Session::close);
    return run;
  }

  private static long signUntil(Session session, KeyRef key, long end) {
    long handle = session.findPrivateKey(key);
    long count = 0;
    while (System.nanoTime() - end < 0) {
      byte[] signature = session.sign(Mechanism.ECDSA_SHA256, handle, DIGEST);
      count += signature.length == 64 ? 1 : 0;
    }
    return count;
  }

  /** Fields 14 and 15 of proc(5) stat, in ticks of 10 ms; 0 for no process. */
  private static long cpuMicros(long pid) throws IOException {
    if (pid == 0) {
      return 0;
    }
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10_000;
  }

  private static long resident(long pid) {
    return Processes.residentKib(pid);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}

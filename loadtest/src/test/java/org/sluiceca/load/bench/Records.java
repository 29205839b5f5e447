package org.sluiceca.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lines as the shell writes them, of two CAs and three rounds, honest unless a test changes one.
 */
final class Records {

  static final String OURS = "sluice";
  static final String THEIRS = "step-ca";

  private Records() {}

  /** Two CAs; ours 1,000 certificates/s, theirs half of it. */
  static List<String> honest() {
    List<String> lines =
        new ArrayList<>(
            List.of("fact\ttitle\tPeers", "fact\twhat\tTwo of them.", "fact\tcores\t2"));
    lines.addAll(facts());
    for (int round = 0; round <= 3; round++) {
      lines.add(run(OURS, round, 10_000, 10_016));
      lines.add(run(THEIRS, round, 5_000, 5_016));
    }
    lines.add(store(OURS, 40_010));
    lines.add(store(THEIRS, 20_000));
    return lines;
  }

  /** Without which no figure is worth anything. */
  static List<String> facts() {
    return List.of(
        "fact\tcommit\tabc1234",
        "fact\tload average before\t0.10 0.20 0.30",
        "fact\tdistinct requests\t12000",
        "fact\twarm-up s\t60");
  }

  static String run(String product, int round, long issued, long sent) {
    return run(product, "16", round, issued, sent);
  }

  /** Ten seconds on two processors; 300 µs of the CA and 50 of the database a certificate. */
  static String run(String product, String load, int round, long issued, long sent) {
    return String.format(
        Locale.ROOT,
        "run\tproduct=%s\tconfiguration=c\tload=%s\tround=%d\tseconds=10.000\tissued=%d\tother=0"
            + "\terrors=0\tsent=%d\tp50=10.0\tp99=20.0\tmax=30.0\tcaMicros=%d\tdatabaseMicros=%d"
            + "\tclientMicros=%d\tbusyMicros=%d\tallMicros=20000000\tallocatedBytes=%d"
            + "\tresidentKib=204800\tloadAverage=2.0",
        product,
        load,
        round,
        issued,
        sent,
        300 * issued,
        50 * issued,
        20 * issued,
        375 * issued,
        100_000 * issued);
  }

  static String store(String product, long after) {
    return "store\tproduct=%s\tconfiguration=c\tbefore=0\tafter=%d\tverified=ok\tdurability=fsync on"
        .formatted(product, after);
  }
}

package org.sluiceca.load.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Keys;

/**
 * The load of one requester: a multiple of the HSM's capacity, over all nodes in turn; or, in a
 * closed loop, what a number of clients at each node ask for one after another.
 *
 * @param requester its name; clients of a loop are requesters {@code name-1}, {@code name-2} and on
 * @param load 0.001 to 100 times the capacity; infinite in a closed loop, which takes what it gets
 * @param profile which it asks for certificates
 * @param loop empty if requests are sent on a schedule
 */
public record Offer(String requester, double load, String profile, Optional<Loop> loop) {

  /** The profile of all that say none: that of the first issuer. */
  public static final String PROFILE = "tls-server";

  /** At 200/s this is more than any machine sends. */
  private static final double LOAD_MAX = 100;

  private static final Pattern LOOP = Pattern.compile("([0-9]{1,4})x([0-9]{1,4})");

  /** What a request asks for. */
  public enum Kind {
    /** A certificate. */
    ENROLL,
    /** A certificate in the place of one that was enrolled before. */
    RENEW,
    /** Certificates by a subjectAltName. */
    SEARCH,
    /** A certificate by its serial number. */
    READ,
    /** The revocation of a certificate, each once. */
    REVOKE,
    /** The complete CRL of the first issuer. */
    CRL,
    /** The status of one certificate, by POST. */
    OCSP;

    /** Returns its name in files and results. */
    @JsonValue
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether it makes a certificate, and so a row of the ledger. */
    public boolean isIssuance() {
      return this == ENROLL || this == RENEW;
    }

    /** Finds one by its name in files. */
    public static Optional<Kind> find(String key) {
      return Arrays.stream(values()).filter(kind -> kind.key().equals(key)).findFirst();
    }
  }

  /**
   * Sessions that each ask one node, and ask again when they have their answer.
   *
   * @param clients at each node, 1 to 99
   * @param sessions of each client, 1 to 99
   * @param nodes how many, from the first, have such clients; 0 for all
   */
  public record Loop(int clients, int sessions, int nodes) {

    /** Validates. */
    public Loop {
      PlanFile.range("clients", clients, 1, 99);
      PlanFile.range("sessions", sessions, 1, 99);
      PlanFile.range("nodes of an offer", nodes, 0, NodePlan.COUNT_MAX);
    }
  }

  /** Validates. */
  public Offer {
    if (!requester.matches("[a-z][a-z0-9-]{0,29}")) {
      throw new InputException("not a requester: '" + requester + "'");
    }
    if (loop.isEmpty() && !(load >= 0.001 && load <= LOAD_MAX)) {
      throw new InputException("a load is 0.001 to 100 times the capacity, not " + load);
    }
  }

  /** Of the first issuer, on a schedule. */
  public Offer(String requester, double load) {
    this(requester, load, PROFILE, Optional.empty());
  }

  /** Returns who asks: the requester, or the clients of its loop. */
  public List<String> requesters() {
    return loop.map(
            closed ->
                IntStream.rangeClosed(1, closed.clients())
                    .mapToObj(client -> requester + "-" + client)
                    .toList())
        .orElse(List.of(requester));
  }

  /** Reads {@code a 0.2, b 4 @rsa, c 5x4, d 5x4 on 1}. */
  static List<Offer> parseAll(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).map(Offer::parse).toList();
  }

  private static Offer parse(String text) {
    Deque<String> words = new ArrayDeque<>(List.of(text.split("\\s+", -1)));
    if (words.size() < 2) {
      throw notOne(text);
    }
    String requester = words.removeFirst();
    String amount = words.removeFirst();
    int nodes = 0;
    Matcher loop = LOOP.matcher(amount);
    if (loop.matches() && words.size() > 1 && words.getFirst().equals("on")) {
      words.removeFirst();
      nodes = (int) Keys.parse("on", words.removeFirst());
      PlanFile.range("on", nodes, 1, NodePlan.COUNT_MAX);
    }
    String profile = PROFILE;
    if (!words.isEmpty() && words.getFirst().startsWith("@")) {
      profile = words.removeFirst().substring(1);
    }
    if (!words.isEmpty()) {
      throw notOne(text);
    }
    return loop.matches()
        ? new Offer(
            requester,
            Double.POSITIVE_INFINITY,
            profile,
            Optional.of(
                new Loop(Integer.parseInt(loop.group(1)), Integer.parseInt(loop.group(2)), nodes)))
        : new Offer(requester, Keys.parse("offer", amount), profile, Optional.empty());
  }

  private static InputException notOne(String text) {
    return new InputException(
        "an offer is a requester, a load or CLIENTSxSESSIONS [on NODES], and perhaps @profile, not '"
            + text
            + "'");
  }
}

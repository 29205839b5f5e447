package org.sluiceca.blackbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must hold of ACME's orders whatever happened to nodes and connections. */
final class AcmeOracle {

  static final String NO_END = "an order that is neither valid nor invalid";
  static final String NO_REASON = "an invalid order without a reason";
  static final String DOUBLED = "a key with two certificates";
  static final String SHARED = "a certificate of two orders";
  static final String LOST = "a certificate that was given and is not in the ledger";
  static final String HIDDEN = "a certificate of an order that is not valid";
  static final String OPEN = "a finalized request without certificate and refusal";
  static final String MISSING = "an order that its client did not end";

  /**
   * What was seen.
   *
   * @param orders how many were begun
   * @param ended what clients saw
   * @param serials of the certificates in the ledger, by the SHA-256 of their public key
   * @param open how many finalized requests the ledger has without serial and refusal
   */
  record Seen(
      int orders, List<StubbornOrders.Ended> ended, Map<String, List<String>> serials, long open) {}

  private AcmeOracle() {}

  /** Looks into the ledger of a trial, by SQL of its own. */
  static Seen look(Trial trial, int orders, List<StubbornOrders.Ended> ended) {
    Map<String, List<String>> serials = new HashMap<>();
    for (String row :
        LedgerRows.texts(
            trial,
            """
            SELECT encode(spki_sha256(i.tbs), 'hex') || ' ' || encode(i.serial, 'hex')
            FROM intent i
            JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
            WHERE o.kind = 'issued'
            """)) {
      String[] words = row.split(" ", 2);
      serials.computeIfAbsent(words[0], key -> new ArrayList<>()).add(words[1]);
    }
    return new Seen(orders, ended, serials, openRequests(trial));
  }

  /** Finalized requests of which the ledger does not say what came of them. */
  static long openRequests(Trial trial) {
    return LedgerRows.count(
        trial,
        """
        SELECT count(*) FROM certificate_request
        WHERE csr IS NOT NULL AND serial IS NULL AND refusal IS NULL
        """);
  }

  /** Returns every fault; none if all is well. */
  static List<String> faults(Seen seen) {
    List<String> faults = new ArrayList<>();
    Map<String, String> orderOf = new HashMap<>();
    for (StubbornOrders.Ended order : seen.ended()) {
      List<String> serials = seen.serials().getOrDefault(order.key(), List.of());
      switch (order.status()) {
        case "valid" -> {
          if (!serials.contains(order.serial())) {
            faults.add(LOST + ": " + order);
          }
          if (orderOf.put(order.serial(), order.key()) != null) {
            faults.add(SHARED + ": " + order);
          }
        }
        case "invalid" -> {
          if (order.reason().isBlank()) {
            faults.add(NO_REASON + ": " + order);
          }
          if (!serials.isEmpty()) {
            faults.add(HIDDEN + ": " + order);
          }
        }
        default -> faults.add(NO_END + ": " + order);
      }
      if (serials.size() > 1) {
        faults.add(DOUBLED + ": " + order + " " + serials);
      }
    }
    if (seen.ended().size() != seen.orders()) {
      faults.add(MISSING + ": " + seen.ended().size() + " of " + seen.orders());
    }
    if (seen.open() > 0) {
      faults.add(OPEN + ": " + seen.open());
    }
    return faults;
  }
}

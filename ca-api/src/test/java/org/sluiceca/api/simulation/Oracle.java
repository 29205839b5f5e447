package org.sluiceca.api.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.issuance.store.commit.SteppedLedgerStore;
import org.sluiceca.api.simulation.SimDatabase.ClaimRow;
import org.sluiceca.api.simulation.SimDatabase.IntentRow;
import org.sluiceca.api.simulation.SimDatabase.OutcomeRow;
import org.sluiceca.api.simulation.SimDatabase.Transaction;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Judges a world from outside: from the rows as they are committed, from what the token was given
 * and gave, from the events, and from what clients read. It composes certificates and reads serial
 * numbers by itself, for what both sides compute alike proves nothing.
 */
final class Oracle {

  private static final HexFormat HEX = HexFormat.of();

  /** Ed25519's AlgorithmIdentifier, then a BIT STRING of 64 octets without unused bits. */
  private static final byte[] ED25519_TAIL = HEX.parseHex("300506032b6570034100");

  /** A plan by a clock that is off by more may be refused: notBefore is set back by an hour. */
  private static final long CLOCK_OFF = Duration.ofMinutes(50).toNanos();

  private final World world;
  private final SimDatabase database;
  private final Map<SerialNumber, OctetString> signedTbs = new LinkedHashMap<>();
  private final Map<SerialNumber, Set<OctetString>> genuine = new LinkedHashMap<>();
  private final Set<List<Object>> signings = new LinkedHashSet<>();
  // An outcome may become durable between a take-over and its C_Sign: the taker cannot know.
  private final Map<SerialNumber, Long> outcomeTimes = new LinkedHashMap<>();
  private final Map<SerialNumber, Long> claimBegun = new LinkedHashMap<>();
  private final Map<SerialNumber, List<Long>> claimTimes = new LinkedHashMap<>();
  private final Map<SerialNumber, CertificateDer> released = new LinkedHashMap<>();
  private final Map<SimDatabase.Key, CertificateDer> releasedByKey = new LinkedHashMap<>();
  private final Set<SerialNumber> accepted = new LinkedHashSet<>();
  private final Map<SerialNumber, Integer> issuedEvents = new LinkedHashMap<>();
  private final Map<SerialNumber, Integer> abandonedEvents = new LinkedHashMap<>();
  private final Map<NodeId, SimNode> nodes = new LinkedHashMap<>();
  private final Set<SerialNumber> misdated = new LinkedHashSet<>();
  private final Map<SimNode, Integer> inLine = new LinkedHashMap<>();

  Oracle(World world, SimDatabase database) {
    this.world = world;
    this.database = database;
  }

  void knows(SimNode node) {
    nodes.put(node.id(), node);
  }

  // The rows.

  void intentCommitted(Transaction transaction, IntentRow row, @Nullable IntentRow before) {
    SerialNumber serial = row.intent().serialNumber();
    world.trace().note(world.now(), "intent", id(serial), row.recordedAt());
    check(before == null, "an intent's row was written twice");
    check(
        row.claimUntil() - transaction.now == SimNode.CLAIM.toNanos(),
        "a claim not granted in the database's time");
    SimNode owner = nodes.get(row.owner());
    if (owner != null && Math.abs(owner.clockAhead()) > CLOCK_OFF) {
      misdated.add(serial);
    }
    SimDatabase.key(row.intent())
        .ifPresent(
            key -> {
              for (IntentRow other : database.intents.values()) {
                check(
                    other.equals(row)
                        || !SimDatabase.key(other.intent()).equals(Optional.of(key))
                        || isAbandoned(other.intent().serialNumber()),
                    "two live intents under one idempotency key");
              }
            });
  }

  void outcomeCommitted(
      Transaction transaction, SerialNumber serial, OutcomeRow row, @Nullable OutcomeRow before) {
    world.trace().note(world.now(), "outcome", id(serial), row.epoch());
    check(before == null, "a second outcome of one serial number");
    outcomeTimes.putIfAbsent(serial, world.now());
    check(database.intents.containsKey(serial), "an outcome without an intent");
    List<Long> claims = claimTimes.getOrDefault(serial, List.of());
    check(
        claims.size() <= row.epoch() || claims.get(row.epoch()) >= transaction.begunAt,
        "an outcome under a claim that had been taken over");
    if (row.outcome() instanceof Outcome.Issued(OctetString signature)) {
      check(
          genuine.getOrDefault(serial, Set.of()).contains(signature),
          "an outcome whose signature the issuer's key never made");
    }
  }

  void claimCommitted(
      Transaction transaction, SerialNumber serial, ClaimRow newest, ClaimRow next) {
    world.trace().note(world.now(), "claim", id(serial), next.epoch());
    check(newest.until() <= transaction.now, "a claim taken over while it lived");
    check(
        next.until() - transaction.now == SimNode.CLAIM.toNanos(),
        "a claim not granted in the database's time");
    List<Long> times = claimTimes.computeIfAbsent(serial, s -> new ArrayList<>());
    check(next.epoch() == times.size() + 1, "an epoch that is not the next one");
    times.add(world.now());
    claimBegun.put(serial, transaction.begunAt);
  }

  // The token.

  void signBegins(SimNode node, RecordedIntent intent) {
    byte[] message = intent.toBeSigned().octets();
    SerialNumber serial = serialOf(message);
    world.trace().note(world.now(), "C_Sign", id(serial), intent.claim().epoch());
    IntentRow row = database.intents.get(serial);
    check(
        row != null && Arrays.equals(row.intent().tbsCertificate().encoded(), message),
        "C_Sign over bytes that no durable intent holds");
    OctetString before = signedTbs.putIfAbsent(serial, OctetString.copyOf(message));
    check(
        before == null || before.equals(OctetString.copyOf(message)),
        "two TBSCertificates of one serial number were signed");
    Claim claim = intent.claim();
    check(
        signings.add(List.of(claim.owner(), serial, claim.epoch())),
        "signed twice under one claim");
    if (row != null && !node.wasTickerStopped() && !database.wasClockSet()) {
      ClaimRow newest = database.newestClaim(row);
      check(
          newest.owner().equals(claim.owner())
              && newest.epoch() == claim.epoch()
              && newest.until() > database.now(),
          "C_Sign without a living claim");
      check(
          outcomeTimes.getOrDefault(serial, Long.MAX_VALUE)
              >= claimBegun.getOrDefault(serial, Long.MIN_VALUE),
          "C_Sign after the outcome");
    }
  }

  void signed(byte[] message, OctetString signature) {
    genuine.computeIfAbsent(serialOf(message), s -> new LinkedHashSet<>()).add(signature);
  }

  // The events.

  void event(CaEvent event) {
    world.baton().dieIfDead();
    world.trace().note(world.now(), event.getClass().getSimpleName(), 0, 0);
    switch (event) {
      case CaEvent.IntentRecorded recorded ->
          check(
              database.intents.containsKey(recorded.serialNumber()),
              "IntentRecorded before the intent was durable");
      case CaEvent.CertificateIssued issued -> {
        check(isIssued(issued.serialNumber()), "CertificateIssued before the outcome was durable");
        check(
            issuedEvents.merge(issued.serialNumber(), 1, Integer::sum) == 1,
            "CertificateIssued twice for one serial number");
      }
      case CaEvent.IntentAbandoned abandoned -> {
        check(isAbandoned(abandoned.serialNumber()), "IntentAbandoned but not given up");
        check(
            abandonedEvents.merge(abandoned.serialNumber(), 1, Integer::sum) == 1,
            "IntentAbandoned twice for one serial number");
      }
      case CaEvent.RequestAdmitted e -> {}
      case CaEvent.RequestShed e -> {}
      case CaEvent.DeadlineMissed e -> {}
      case CaEvent.RequestRejected e -> {}
      case CaEvent.RequestReplayed e -> {}
      case CaEvent.SignatureMade e -> {}
      case CaEvent.SignatureRefused e -> {}
      case CaEvent.IntentLeftPending e -> {}
      case CaEvent.IntentTakenOver e -> {}
      case CaEvent.OrderTaken e -> {}
      case CaEvent.CertificateRevoked e -> {}
      case CaEvent.CertificatesRevoked e -> {}
      case CaEvent.HoldReleased e -> {}
      case CaEvent.CrlIssued e -> {}
      case CaEvent.CrlSignatureRefused e -> {}
      case CaEvent.OcspSignatureRefused e -> {}
      case CaEvent.ValidityClamped e -> {}
    }
  }

  // The bounds.

  /** A request got a place on the line. */
  void entersLine(SimNode node) {
    check(
        inLine.merge(node, 1, Integer::sum) <= node.places(),
        "more requests on the line than places");
  }

  void leavesLine(SimNode node) {
    inLine.merge(node, -1, Integer::sum);
  }

  void sizes(SimNode node, int waitingRows, int[] lane) {
    check(waitingRows <= SteppedLedgerStore.WAITING_MAX, "too many rows wait for the writer");
    check(lane[0] <= SimSigner.CAPACITY, "the lane's queue is over its capacity");
    check(lane[1] <= SimSigner.SESSIONS, "more jobs in the token than sessions");
  }

  // The clients.

  /** A certificate in answer to a promise. */
  void inTime(SimNode node, Deadline answerBy) {
    check(
        node.wasFrozen() || answerBy.remainingNanos(node.ticker()) > -50_000_000L,
        "success after the deadline");
  }

  void sent(Answer answer) {
    switch (answer) {
      case Answer.Certificate(SerialNumber serial, CertificateDer certificate) ->
          releases(serial, certificate);
      case Answer.Accepted(SerialNumber order) -> {
        check(database.intents.containsKey(order), "202 without a durable intent");
        accepted.add(order);
      }
      case Answer.GivenUp(SerialNumber order) ->
          check(isAbandoned(order), "answered that it was given up, which is not durable");
      case Answer.InProgress e -> {}
      case Answer.Rejected e -> {}
      case Answer.Shed e -> {}
      case Answer.Unavailable e -> {}
      case Answer.Unknown e -> {}
    }
  }

  private void releases(SerialNumber serial, CertificateDer certificate) {
    world.trace().note(world.now(), "release", id(serial), Arrays.hashCode(certificate.encoded()));
    check(
        Arrays.equals(certificate.encoded(), composed(serial)),
        "released a certificate that is not durable");
    CertificateDer before = released.putIfAbsent(serial, certificate);
    check(before == null || before.equals(certificate), "two certificates of one serial number");
    IntentRow row = database.intents.get(serial);
    if (row != null) {
      SimDatabase.key(row.intent())
          .ifPresent(
              key -> {
                CertificateDer first = releasedByKey.putIfAbsent(key, certificate);
                check(
                    first == null || first.equals(certificate),
                    "two certificates under one idempotency key");
              });
    }
  }

  /** After the world has healed. */
  void judgeTheEnd(boolean isRetired) {
    for (IntentRow row : database.intents.values()) {
      SerialNumber serial = row.intent().serialNumber();
      check(database.outcomes.containsKey(serial), "an intent without outcome at the end");
      check(
          isRetired || misdated.contains(serial) || !isAbandoned(serial),
          "an intent given up without a cause");
    }
    for (SerialNumber serial : accepted) {
      check(database.outcomes.containsKey(serial), "a promise forgotten");
    }
    released.forEach(
        (serial, certificate) ->
            check(
                Arrays.equals(certificate.encoded(), composed(serial)),
                "a released certificate is not in the ledger at the end"));
    Set<SimDatabase.Key> issued = new LinkedHashSet<>();
    for (IntentRow row : database.intents.values()) {
      if (isIssued(row.intent().serialNumber())) {
        SimDatabase.key(row.intent())
            .ifPresent(key -> check(issued.add(key), "two issued under one idempotency key"));
      }
    }
  }

  void check(boolean holds, String fault) {
    if (!holds) {
      world.found(fault);
    }
  }

  private boolean isIssued(SerialNumber serial) {
    OutcomeRow row = database.outcomes.get(serial);
    return row != null && row.outcome() instanceof Outcome.Issued;
  }

  private boolean isAbandoned(SerialNumber serial) {
    OutcomeRow row = database.outcomes.get(serial);
    return row != null && row.outcome() instanceof Outcome.Abandoned;
  }

  /** The certificate that the rows stand for, composed by hand (RFC 5280 4.1); null if none. */
  private byte @Nullable [] composed(SerialNumber serial) {
    IntentRow intent = database.intents.get(serial);
    OutcomeRow outcome = database.outcomes.get(serial);
    if (intent == null
        || outcome == null
        || !(outcome.outcome() instanceof Outcome.Issued(OctetString signature))) {
      return null;
    }
    byte[] tbs = intent.intent().tbsCertificate().encoded();
    int length = tbs.length + ED25519_TAIL.length + signature.length();
    byte[] head = {0x30, (byte) 0x82, (byte) (length >> 8), (byte) length};
    byte[] whole = Arrays.copyOf(head, head.length + length);
    System.arraycopy(tbs, 0, whole, head.length, tbs.length);
    System.arraycopy(ED25519_TAIL, 0, whole, head.length + tbs.length, ED25519_TAIL.length);
    System.arraycopy(
        signature.octets(), 0, whole, whole.length - signature.length(), signature.length());
    return whole;
  }

  /** The serialNumber where RFC 5280 4.1 puts it in a v3 TBSCertificate of 256 octets and more. */
  private static SerialNumber serialOf(byte[] tbs) {
    int at = tbs[1] == (byte) 0x82 ? 11 : 10;
    return SerialNumber.of(Arrays.copyOfRange(tbs, at, at + SerialNumber.OCTETS));
  }

  private static long id(SerialNumber serial) {
    return serial.hashCode();
  }
}

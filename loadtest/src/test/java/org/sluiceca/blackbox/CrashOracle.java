package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.sluiceca.blackbox.CrashLoad.Given;

/**
 * Judges from outside whether the promises were kept: by what the clients were given, by the rows
 * of the ledger, and by what a node answers now.
 */
final class CrashOracle {

  private static final String DOUBLED_SERIAL = "two clients with one serial";
  private static final String PENDING = "intents without outcome";
  private static final String GIVEN_UP = "intents given up";
  private static final String DOUBLED_KEY = "keys with two certificates";
  private static final String ROWS = "rows of certificates";
  private static final String READ = "what is read is what was given";
  private static final String REPLAYED = "what is replayed is what was given";

  private static final String OF_SERIAL = " WHERE encode(serial, 'hex') = ?";

  private final Trial trial;
  private final CrashLoad load;

  CrashOracle(Trial trial, CrashLoad load) {
    this.trial = trial;
    this.load = load;
  }

  /** Fails unless everything that was given is there, once, and nothing else is. */
  void assertKept(Map<String, Given> given) {
    assertThat(given.values().stream().map(Given::serial).distinct())
        .as(DOUBLED_SERIAL)
        .hasSameSizeAs(given.keySet());
    assertThat(LedgerRows.pendingIntents(trial)).as(PENDING).isZero();
    assertThat(LedgerRows.outcomes(trial, "abandoned")).as(GIVEN_UP).isZero();
    assertThat(LedgerRows.keysWithTwoCertificates(trial)).as(DOUBLED_KEY).isZero();
    assertThat(LedgerRows.issuedUnder(trial, CrashLoad.KEY_PREFIX))
        .as(ROWS)
        .isEqualTo(given.size());
    given.forEach(this::assertAnswered);
  }

  private void assertAnswered(String key, Given was) {
    Api node = load.client(0, key);
    Answer read = node.get(Api.CERTIFICATES + "/" + was.serial()).is(200);
    assertThat(CrashLoad.hex(read)).as(READ).isEqualTo(was.certificate());
    Answer again = load.enroll(node).is(201);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(CrashLoad.hex(again)).as(REPLAYED).isEqualTo(was.certificate());
  }

  /** Plants one fault after another, each of which must fail for its own reason. */
  void assertFaultsAreFound(Map<String, Given> given) {
    Iterator<Map.Entry<String, Given>> entries = given.entrySet().iterator();
    Map.Entry<String, Given> damaged = entries.next();
    String key = damaged.getKey();
    String serial = damaged.getValue().serial();
    String otherKey = entries.next().getKey();

    Map<String, Given> doubled = new HashMap<>(given);
    doubled.put(otherKey, damaged.getValue());
    assertFinds(DOUBLED_SERIAL, doubled);

    String keyed = "UPDATE intent SET idempotency_key = '%s'" + OF_SERIAL;
    LedgerRows.damage(trial, keyed.formatted(otherKey), serial);
    assertFinds(DOUBLED_KEY, given);
    LedgerRows.damage(trial, keyed.formatted("lost"), serial);
    assertFinds(ROWS, given);
    LedgerRows.damage(trial, keyed.formatted(key), serial);

    String flipped =
        "UPDATE outcome SET signature = set_byte(signature, 20, get_byte(signature, 20) # 1)";
    LedgerRows.damage(trial, flipped + OF_SERIAL, serial);
    assertFinds(READ, given);
    LedgerRows.damage(trial, flipped + OF_SERIAL, serial);

    String abandoned =
        "UPDATE outcome SET kind = 'abandoned', signature = NULL, reason = 'TOO_OLD',"
            + " maybe_signed = true";
    LedgerRows.damage(trial, abandoned + OF_SERIAL, serial);
    assertFinds(GIVEN_UP, given);
    LedgerRows.damage(trial, "DELETE FROM outcome" + OF_SERIAL, serial);
    assertFinds(PENDING, given);
  }

  private void assertFinds(String fault, Map<String, Given> given) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertKept(given))
        .withMessageContaining(fault);
  }
}

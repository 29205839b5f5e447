package org.sluiceca.api.hsm.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.lease.LeaseStore;

class CalibrationStoreTest {

  private static final SignatureClass P256 = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final SignatureClass RSA = new SignatureClass(Mechanism.RSA_PKCS1_SHA256, 3072);
  private static final Sample SAMPLE = new Sample(1, 0, 0, 1, 0, 0, 1, 1);

  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final CalibrationStore calibrations = new CalibrationStore(database);

  @BeforeEach
  void migrate() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void find_neverMeasured_empty() {
    assertThat(calibrations.find("token")).isEmpty();
  }

  @Test
  void put_again_replacesAllOfTheOneBefore() {
    Calibration first = new Calibration(8, Map.of(P256, 0.04, RSA, 0.125));
    Calibration second = new Calibration(2, Map.of(P256, 0.000043));
    calibrations.put("token", first);
    calibrations.put("other", second);
    assertThat(calibrations.find("token")).contains(first);

    calibrations.put("token", second);

    assertThat(calibrations.find("token")).contains(second);
  }

  @Test
  void put_severalGroupsOfEngines_keptInTheirOrder() {
    Calibration apart =
        new Calibration(
            List.of(
                new EngineGroup(8, Map.of(RSA, 0.125)), new EngineGroup(2, Map.of(P256, 0.04))));
    calibrations.put("token", apart);
    assertThat(calibrations.find("token")).contains(apart);

    calibrations.put("token", new Calibration(8, Map.of(P256, 0.04, RSA, 0.125)));
    assertThat(calibrations.find("token").orElseThrow().groups()).hasSize(1);
  }

  @Test
  void nodesAtWork_reportedJustNow_counted() {
    assertThat(calibrations.nodesAtWork("token")).isZero();

    // A slow disk may hold up a report for as long as it counts.
    Await.until("its report counts", () -> isOneNode("token", "token"));
    Await.until("its two reports count once", () -> isOneNode("apart", "apart/ec", "apart/rsa"));
    assertThat(calibrations.nodesAtWork("other")).isZero();
  }

  private boolean isOneNode(String token, String... engines) {
    try {
      for (String each : engines) {
        var _ =
            new PostgresLeaseStore(database)
                .exchange(each, new NodeReport("a", 1, 1, 0, SAMPLE, 0), OptionalInt.empty());
      }
      return calibrations.nodesAtWork(token) == 1;
    } catch (LeaseStore.Unavailable e) {
      return false;
    }
  }
}

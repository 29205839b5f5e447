package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.blackbox.StubbornOrders.Ended;

/** The judge of ACME's orders finds each fault that is planted, and nothing where all is well. */
class AcmeOracleTest {

  private final List<Ended> ended =
      new ArrayList<>(
          List.of(
              new Ended("k1", "valid", "", "a1"),
              new Ended("k2", "valid", "", "a2"),
              new Ended("k3", "invalid", "the profile refuses it", "")));
  private final Map<String, List<String>> serials =
      new HashMap<>(
          Map.of("k1", List.of("a1"), "k2", List.of("a2"), "of another client", List.of("a9")));

  private void assertFound(String fault) {
    assertThat(AcmeOracle.faults(new AcmeOracle.Seen(3, ended, serials, 0)))
        .singleElement()
        .asString()
        .startsWith(fault);
  }

  @Test
  void allIsWell_nothing() {
    assertThat(AcmeOracle.faults(new AcmeOracle.Seen(3, ended, serials, 0))).isEmpty();
  }

  @Test
  void twoCertificatesOfOneKey_found() {
    serials.put("k2", List.of("a2", "a3"));
    assertFound(AcmeOracle.DOUBLED);
  }

  @Test
  void certificateThatTheLedgerDoesNotHave_found() {
    serials.remove("k1");
    assertFound(AcmeOracle.LOST);
  }

  @Test
  void certificateThatTwoOrdersHave_found() {
    ended.set(1, new Ended("k2", "valid", "", "a1"));
    serials.put("k2", List.of("a1"));
    assertFound(AcmeOracle.SHARED);
  }

  @Test
  void certificateOfARefusedOrder_found() {
    serials.put("k3", List.of("a3"));
    assertFound(AcmeOracle.HIDDEN);
  }

  @Test
  void invalidWithoutReason_found() {
    ended.set(2, new Ended("k3", "invalid", " ", ""));
    assertFound(AcmeOracle.NO_REASON);
  }

  @Test
  void orderThatStaysProcessing_found() {
    ended.set(2, new Ended("k3", "processing", "", ""));
    assertFound(AcmeOracle.NO_END);
  }

  @Test
  void clientThatDidNotEnd_found() {
    ended.removeLast();
    assertFound(AcmeOracle.MISSING);
  }

  @Test
  void requestWithoutDecision_found() {
    assertThat(AcmeOracle.faults(new AcmeOracle.Seen(3, ended, serials, 1)))
        .singleElement()
        .asString()
        .startsWith(AcmeOracle.OPEN);
  }
}

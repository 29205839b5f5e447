package org.sluiceca.api.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.enrollment.OrdersController.Order;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

class OrdersControllerTest {

  private static final SerialNumber SERIAL = SerialNumber.parse("01" + "0".repeat(36));

  /**
   * Without a type of its own Spring would look for one that the client accepts, and answer 406.
   */
  @Test
  void accepted_namesItsOwnType() {
    ResponseEntity<Void> answer = OrdersController.accepted(SERIAL, Optional.empty()).build();

    assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.ACCEPTED);
    assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
    assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("2");
  }

  @Test
  void accepted_standsOnTheLine_retryAfterByItsPlace() {
    assertThat(retryAfter(0.2)).isEqualTo("1");
    assertThat(retryAfter(10)).isEqualTo("11");
    assertThat(retryAfter(10.1)).isEqualTo("12");
    assertThat(retryAfter(500)).isEqualTo("60");
  }

  /** What this node does not know is absent, not null and not made up. */
  @Test
  void pending_onAnotherNode_saysNothingOfItsPlace() {
    JsonMapper json = JsonMapper.shared();

    assertThat(json.valueToTree(Order.pending(SERIAL, Optional.empty())).propertyNames())
        .containsExactly("id", "status");
    assertThat(
            json.writeValueAsString(
                Order.pending(
                    SERIAL, Optional.of(new QueuePosition(7, OptionalDouble.of(1.23456))))))
        .endsWith("\"status\":\"pending\",\"position\":7,\"etaSeconds\":1.235}");
    assertThat(
            json.writeValueAsString(
                Order.pending(SERIAL, Optional.of(new QueuePosition(7, OptionalDouble.empty())))))
        .endsWith("\"position\":7}");
  }

  private static String retryAfter(double etaSeconds) {
    return String.valueOf(
        OrdersController.accepted(
                SERIAL, Optional.of(new QueuePosition(0, OptionalDouble.of(etaSeconds))))
            .build()
            .getHeaders()
            .getFirst(HttpHeaders.RETRY_AFTER));
  }
}

package org.sluiceca.api.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

class OrdersControllerTest {

  /**
   * Without a type of its own Spring would look for one that the client accepts, and answer 406.
   */
  @Test
  void accepted_namesItsOwnType() {
    ResponseEntity<Object> answer =
        OrdersController.accepted(SerialNumber.parse("01" + "0".repeat(36)));

    assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.ACCEPTED);
    assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
  }
}

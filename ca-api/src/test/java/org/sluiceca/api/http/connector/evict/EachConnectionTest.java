package org.sluiceca.api.http.connector.evict;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is overdue is closed, whatever the closing of another one throws. */
class EachConnectionTest {

  private final Logger log = (Logger) LoggerFactory.getLogger(EachConnection.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final List<String> closed = new ArrayList<>();

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void stop() {
    log.detachAppender(lines);
  }

  private void close(String connection) {
    switch (connection) {
      case "exception" -> throw new IllegalStateException("planted");
      case "error" -> throw new LinkageError("planted");
      default -> closed.add(connection);
    }
  }

  @Test
  void of_errorAndExceptionAmongThem_othersClosedAndOneLine() {
    EachConnection.of(List.of("first", "error", "second", "exception", "third"), this::close);

    assertThat(closed).containsExactly("first", "second", "third");
    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.getFirst().getFormattedMessage()).contains("2 of 5");
    assertThat(lines.list.getFirst().getThrowableProxy().getClassName())
        .isEqualTo(LinkageError.class.getName());
  }

  @Test
  void of_noneFails_nothingIsLogged() {
    EachConnection.of(List.of("first", "second"), this::close);

    assertThat(closed).containsExactly("first", "second");
    assertThat(lines.list).isEmpty();
  }
}

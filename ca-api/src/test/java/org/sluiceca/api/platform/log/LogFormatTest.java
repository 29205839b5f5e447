package org.sluiceca.api.platform.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ContextBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.MarkerFactory;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** Every line is the one that Spring writes. */
class LogFormatTest {

  private final MockEnvironment environment =
      new MockEnvironment()
          .withProperty("spring.application.name", "sluice")
          .withProperty("spring.application.pid", "4711")
          .withProperty("logging.structured.json.customizer", BoundedLogText.class.getName());
  private final LoggerContext loggers = new LoggerContext();
  private final LogFormat format = new LogFormat(environment);
  private final StructuredLogEncoder spring = new StructuredLogEncoder();

  LogFormatTest() {
    ContextBase context = new ContextBase();
    context.putObject(Environment.class.getName(), environment);
    spring.setContext(context);
    spring.setFormat("ecs");
    spring.start();
  }

  private LoggingEvent event(String logger, String message, KeyValuePair... pairs) {
    LoggingEvent event =
        new LoggingEvent("fqcn", loggers.getLogger(logger), Level.INFO, message, null, null);
    event.setInstant(Instant.ofEpochSecond(1_795_000_000L + message.length(), 120_000_000));
    event.setThreadName("access-log");
    event.setMDCPropertyMap(Map.of());
    if (pairs.length > 0) {
      event.setKeyValuePairs(List.of(pairs));
    }
    return event;
  }

  private static KeyValuePair pair(String key, Object value) {
    return new KeyValuePair(key, value);
  }

  private LoggingEvent request(String id, int status, Object requester) {
    return event(
        "access", "request", pair("requestId", id), pair("status", status), pair("by", requester));
  }

  private void assertAsSpring(LoggingEvent event) {
    assertThat(
            new String(format.formatAsBytes(event, StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(new String(spring.encode(event), StandardCharsets.UTF_8))
        .endsWith("}\n");
  }

  @Test
  void formatAsBytes_linesOfOneKind_asSpring() {
    for (int i = 0; i < 5; i++) {
      assertAsSpring(request("id-" + i, 200 + i, "/v1/{serial}"));
    }
    LoggingEvent later = request("id", 201, 7L);
    later.setInstant(Instant.ofEpochSecond(1_795_000_099L, 123_456_789));
    assertAsSpring(later);
    LoggingEvent wholeSecond = request("id", 201, 7L);
    wholeSecond.setInstant(Instant.ofEpochSecond(1_795_000_099L));
    assertAsSpring(wholeSecond);
  }

  @Test
  void formatAsBytes_anotherKindBetween_asSpring() {
    assertAsSpring(request("a", 201, "web"));
    assertAsSpring(event("other", "request", pair("requestId", "b")));
    assertAsSpring(event("access", "another message", pair("requestId", "b")));
    LoggingEvent warning =
        new LoggingEvent("fqcn", loggers.getLogger("access"), Level.WARN, "request", null, null);
    warning.setInstant(Instant.EPOCH);
    warning.setThreadName("access-log");
    warning.setMDCPropertyMap(Map.of());
    warning.setKeyValuePairs(List.of(pair("requestId", "c")));
    assertAsSpring(warning);
    LoggingEvent elsewhere = request("a", 201, "web");
    assertAsSpring(elsewhere);
    assertAsSpring(request("a", 201, "web"));
  }

  @Test
  void formatAsBytes_valuesThatJsonOrALimitChanges_asSpring() {
    assertAsSpring(request("a", 201, "web"));
    for (Object odd :
        new Object[] {
          "quoted \"web\"",
          "back\\slash",
          "line\nline\u0000\u001f",
          "caf\u00e9 \u202e\u2028 \ud83d\ude00",
          "<script>/",
          "~ }\",\"ecs\":{",
          "x".repeat(1_000),
          "x".repeat(1_001),
          1.5,
          true,
          Long.MIN_VALUE,
          List.of("a", "b"),
          Map.of("k", "v")
        }) {
      assertAsSpring(request("a", 201, odd));
    }
    assertAsSpring(event("access", "request", pair("a.b", "c"), pair("a.d", 1)));
    assertAsSpring(event("access", "request", new KeyValuePair("none", null)));
    assertAsSpring(request("a", 201, "web"));
  }

  @Test
  void formatAsBytes_moreThanValues_asSpring() {
    assertAsSpring(request("a", 201, "web"));
    assertAsSpring(event("access", "request"));
    LoggingEvent ofRequest = request("a", 201, "web");
    LoggingEvent withContext =
        new LoggingEvent("fqcn", loggers.getLogger("access"), Level.INFO, "request", null, null);
    withContext.setInstant(Instant.EPOCH);
    withContext.setThreadName("access-log");
    withContext.setMDCPropertyMap(Map.of("requestId", "b"));
    withContext.setKeyValuePairs(List.of(pair("status", 1)));
    assertAsSpring(withContext);
    LoggingEvent failed =
        new LoggingEvent(
            "fqcn",
            loggers.getLogger("access"),
            Level.INFO,
            "request",
            new IllegalStateException("broken"),
            null);
    failed.setInstant(Instant.EPOCH);
    failed.setThreadName("access-log");
    failed.setMDCPropertyMap(Map.of());
    failed.setKeyValuePairs(List.of(pair("status", 1)));
    assertAsSpring(failed);
    ofRequest.addMarker(MarkerFactory.getMarker("mark"));
    assertAsSpring(ofRequest);
  }

  /** Privacy: an operator leaves out who asked. */
  @Test
  void formatAsBytes_keyLeftOutBySettings_neverShown() {
    environment.setProperty("logging.structured.json.exclude", "by");
    LogFormat excluding = new LogFormat(environment);

    String anonymous =
        excluding.format(event("access", "request", pair("requestId", "a"), pair("status", 200)));
    String known = excluding.format(request("b", 201, "client-of-this-line"));

    assertThat(anonymous).contains("\"requestId\":\"a\"");
    assertThat(known).contains("\"requestId\":\"b\"").doesNotContain("client-of-this-line");
  }
}

package org.sluiceca.api.audit;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.core.audit.AuditEvent;
import tools.jackson.databind.json.JsonMapper;

/**
 * Something that happened, but for when: equal ones become one row with their number.
 *
 * @param actor who did it; {@link AuditEvent#NOBODY} where nobody is known
 * @param details texts, numbers, and lists of texts
 */
public record Fact(AuditKind kind, String actor, Map<String, Object> details) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String COUNT = "count";

  public Fact {
    details = Map.copyOf(details);
  }

  /** Returns the row's content for so many of these; the names in one order, for who reads it. */
  AuditEvent event(Instant at, long count) {
    Map<String, Object> content = new TreeMap<>(details);
    if (count > 1) {
      content.put(COUNT, count);
    }
    return new AuditEvent(at, kind.text(), actor, JSON.writeValueAsString(content));
  }

  /** Returns the same once. */
  public AuditEvent event(Instant at) {
    return event(at, 1);
  }
}

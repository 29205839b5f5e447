package org.sluiceca.api.acme.order;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.answer.AcmeProblem.Sub;
import org.sluiceca.api.acme.answer.AcmeProblem.Subject;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;

/**
 * The identifiers of a new order, read to the last one: a client learns of all that cannot be at
 * once (RFC 8555 6.7.1), not of one with each try.
 *
 * @param identifiers those that are well formed, each once, in the order's order
 * @param faults of the others, at most {@value #MAX}
 */
record OrderIdentifiers(List<Identifier> identifiers, List<Sub> faults) {

  private static final int MAX = 100;

  static OrderIdentifiers read(JsonObject wanted) throws JsonException {
    Set<Identifier> identifiers = new LinkedHashSet<>();
    List<Sub> faults = new ArrayList<>();
    List<JsonObject> all = wanted.objects("identifiers", MAX);
    if (all.isEmpty()) {
      throw new AcmeProblem(AcmeError.MALFORMED, "identifiers is empty");
    }
    for (JsonObject one : all) {
      Subject subject;
      try {
        subject = new Subject(one.text("type"), one.text("value"));
        Optional<Identifier> identifier = identifier(one.text("type"), one.text("value"));
        identifier.ifPresentOrElse(identifiers::add, () -> faults.add(fault(subject)));
      } catch (JsonException e) {
        faults.add(new Sub(AcmeError.MALFORMED, e.fault(), Optional.empty()));
      }
    }
    return new OrderIdentifiers(List.copyOf(identifiers), faults);
  }

  private static Optional<Identifier> identifier(String type, String value) {
    return type.equals("dns") || type.equals("ip")
        ? Identifier.parse(type, value)
        : Optional.empty();
  }

  private static Sub fault(Subject subject) {
    return switch (subject.type()) {
      case "dns" ->
          new Sub(
              AcmeError.REJECTED_IDENTIFIER,
              "no DNS name: letters, digits and hyphens, and A-labels (xn--…) for others",
              Optional.of(subject));
      case "ip" -> new Sub(AcmeError.REJECTED_IDENTIFIER, "no IP address", Optional.of(subject));
      default ->
          new Sub(
              AcmeError.UNSUPPORTED_IDENTIFIER,
              "identifiers are of type dns or ip",
              Optional.of(subject));
    };
  }

  /**
   * Requires that no identifier has a fault.
   *
   * @param others faults that a well-formed identifier has at this endpoint
   * @param advice what the client can do about the others
   */
  void requireNone(List<Sub> others, String advice) {
    List<Sub> all = new ArrayList<>(faults);
    all.addAll(others);
    if (all.isEmpty()) {
      return;
    }
    AcmeError first = all.getFirst().type();
    boolean isOne = all.stream().allMatch(sub -> sub.type() == first);
    String said = faults.isEmpty() ? "" : faults.getFirst().detail();
    throw new AcmeProblem(
        isOne ? first : AcmeError.MALFORMED,
        all.size()
            + (all.size() == 1 ? " identifier is" : " identifiers are")
            + " not possible here"
            + (said.isEmpty() ? "" : ": " + said)
            + (others.isEmpty() ? "" : ": " + advice),
        all);
  }
}

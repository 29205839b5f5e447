package org.sluiceca.core.profile;

import java.util.Optional;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameTemplate;

/**
 * What a profile says of one subject attribute beyond whether it may stand there.
 *
 * @param value what stands there whatever the request says
 * @param replaces whether another value in the request gives way to {@code value}, instead of
 *     refusing the request
 * @param fallback what stands there if the request has no such attribute
 * @param pattern what the value must match, wherever it comes from
 */
public record AttributeRule(
    Optional<NameTemplate> value,
    boolean replaces,
    Optional<NameTemplate> fallback,
    Optional<NamePattern> pattern) {

  public AttributeRule {
    if (value.isPresent() && fallback.isPresent()) {
      throw new IllegalArgumentException("a value and a default for one attribute");
    }
    if (replaces && value.isEmpty()) {
      throw new IllegalArgumentException("replace without a value");
    }
    if (value.isEmpty() && fallback.isEmpty() && pattern.isEmpty()) {
      throw new IllegalArgumentException("a rule that says nothing");
    }
  }

  /** A rule that only has a pattern. */
  public static AttributeRule matching(NamePattern pattern) {
    return new AttributeRule(Optional.empty(), false, Optional.empty(), Optional.of(pattern));
  }

  /** A rule that fixes the value. */
  public static AttributeRule fixed(NameTemplate value, boolean replaces) {
    return new AttributeRule(Optional.of(value), replaces, Optional.empty(), Optional.empty());
  }

  /** A rule that fills a gap. */
  public static AttributeRule byDefault(NameTemplate fallback) {
    return new AttributeRule(Optional.empty(), false, Optional.of(fallback), Optional.empty());
  }
}

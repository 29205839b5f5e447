package org.sluiceca.core.profile;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OidNames;

/**
 * Which attributes a subject must and may have. An attribute in neither set, and without a value of
 * the profile's own, is refused, never dropped.
 *
 * @param required those that the request must have
 * @param optional those that it may have
 * @param rules what is said of single attributes beyond that
 */
public record SubjectPolicy(
    Set<NameAttribute> required,
    Set<NameAttribute> optional,
    Map<NameAttribute, AttributeRule> rules) {

  /** Each kind once and a path of units: longer subjects are mistakes or attacks on parsers. */
  private static final int ATTRIBUTES_MAX = 16;

  /** The order of X.501 names: from the root of the directory to the entry. */
  private static final List<NameAttribute> FROM_GENERAL_TO_PARTICULAR =
      List.of(
          NameAttribute.DOMAIN_COMPONENT,
          NameAttribute.COUNTRY,
          NameAttribute.STATE_OR_PROVINCE,
          NameAttribute.LOCALITY,
          NameAttribute.POSTAL_CODE,
          NameAttribute.STREET_ADDRESS,
          NameAttribute.BUSINESS_CATEGORY,
          NameAttribute.ORGANIZATION,
          NameAttribute.ORGANIZATION_IDENTIFIER,
          NameAttribute.ORGANIZATIONAL_UNIT,
          NameAttribute.SERIAL_NUMBER,
          NameAttribute.DN_QUALIFIER,
          NameAttribute.TITLE,
          NameAttribute.GIVEN_NAME,
          NameAttribute.INITIALS,
          NameAttribute.SURNAME,
          NameAttribute.GENERATION_QUALIFIER,
          NameAttribute.PSEUDONYM,
          NameAttribute.COMMON_NAME,
          NameAttribute.USER_ID,
          NameAttribute.EMAIL_ADDRESS);

  /** X.520 defines countryName as of one value; two CNs or serial numbers mean two subjects. */
  private static final Set<NameAttribute> SINGLE_VALUED =
      Set.of(NameAttribute.COMMON_NAME, NameAttribute.SERIAL_NUMBER, NameAttribute.COUNTRY);

  public SubjectPolicy {
    required = Set.copyOf(required);
    optional = Set.copyOf(optional);
    if (required.stream().anyMatch(optional::contains)) {
      throw new IllegalArgumentException("an attribute is both required and optional");
    }
    rules = Map.copyOf(rules);
    for (Map.Entry<NameAttribute, AttributeRule> entry : rules.entrySet()) {
      checkRule(
          entry.getKey(),
          entry.getValue(),
          required.contains(entry.getKey()),
          optional.contains(entry.getKey()));
    }
  }

  /** A policy without rules for single attributes. */
  public SubjectPolicy(Set<NameAttribute> required, Set<NameAttribute> optional) {
    this(required, optional, Map.of());
  }

  private static void checkRule(
      NameAttribute type, AttributeRule rule, boolean isRequired, boolean isOptional) {
    if (rule.value().isPresent() && (isRequired || isOptional)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has a value of the profile's own, so it is neither required nor optional",
              type));
    }
    if (rule.fallback().isPresent() && !isOptional) {
      throw new IllegalArgumentException(type + " has a default, so it must be optional");
    }
    if (rule.value().isEmpty() && !isRequired && !isOptional) {
      throw new IllegalArgumentException("a rule for " + type + ", which is not allowed");
    }
    Optional<String> constant = rule.value().or(rule::fallback).flatMap(NameTemplate::constant);
    if (constant.isPresent()) {
      try {
        AttributeSyntax.check(new Attribute(type, constant.get()));
        checkPattern(rule, new Attribute(type, constant.get()));
      } catch (RejectedException e) {
        throw new IllegalArgumentException(e.rejection().detail(), e);
      }
    }
  }

  /**
   * The subject to certify.
   *
   * @param replaced the attributes in which the profile's own value took the request's place
   */
  public record Certified(DistinguishedName subject, List<NameAttribute> replaced) {
    public Certified {
      replaced = List.copyOf(replaced);
    }
  }

  /** Returns whether every subject has an attribute. */
  boolean isNeverEmpty() {
    return !required.isEmpty()
        || rules.values().stream().anyMatch(r -> r.value().isPresent() || r.fallback().isPresent());
  }

  /**
   * Applies the rules to a requested subject and checks the result. What the profile adds stands
   * before the first requested attribute that is less general.
   */
  public Certified certify(DistinguishedName requested, RequestFacts facts)
      throws RejectedException {
    if (rules.isEmpty()) {
      return new Certified(check(requested), List.of());
    }
    List<Attribute> attributes = new ArrayList<>(requested.attributes());
    Set<NameAttribute> replaced = EnumSet.noneOf(NameAttribute.class);
    for (NameAttribute type : FROM_GENERAL_TO_PARTICULAR) {
      AttributeRule rule = rules.get(type);
      if (rule == null) {
        continue;
      }
      List<String> asked = requested.values(type);
      if (rule.value().isPresent()) {
        String value = rule.value().get().expand(facts);
        if (!asked.isEmpty() && !asked.equals(List.of(value))) {
          if (!rule.replaces()) {
            throw refused(
                String.format(
                    Locale.ROOT,
                    "subject %s is fixed by the profile; the request asks for another value",
                    type.shortName()));
          }
          replaced.add(type);
        }
        put(attributes, new Attribute(type, value));
      } else if (rule.fallback().isPresent() && asked.isEmpty()) {
        put(attributes, new Attribute(type, rule.fallback().get().expand(facts)));
      }
    }
    return new Certified(check(new DistinguishedName(attributes)), List.copyOf(replaced));
  }

  /** Puts the attribute in the place of those of its type, or where its rank is. */
  private static void put(List<Attribute> attributes, Attribute attribute) {
    int place = 0;
    while (place < attributes.size() && attributes.get(place).type() != attribute.type()) {
      place++;
    }
    boolean isThere = place < attributes.size();
    attributes.removeIf(a -> a.type() == attribute.type());
    if (!isThere) {
      int rank = FROM_GENERAL_TO_PARTICULAR.indexOf(attribute.type());
      place = 0;
      while (place < attributes.size()
          && FROM_GENERAL_TO_PARTICULAR.indexOf(attributes.get(place).type()) < rank) {
        place++;
      }
    }
    attributes.add(place, attribute);
  }

  /** Checks a requested subject; the name that passes is the one to certify. */
  public DistinguishedName check(DistinguishedName subject) throws RejectedException {
    int count = subject.attributes().size();
    if (count > ATTRIBUTES_MAX) {
      throw refused(
          String.format(
              Locale.ROOT, "subject of %d attributes, allowed %d", count, ATTRIBUTES_MAX));
    }
    Set<NameAttribute> missing = EnumSet.noneOf(NameAttribute.class);
    missing.addAll(required);
    rules.forEach(
        (type, rule) -> {
          if (rule.value().isPresent()) {
            missing.add(type);
          }
        });
    Set<NameAttribute> seen = EnumSet.noneOf(NameAttribute.class);
    for (Attribute attribute : subject.attributes()) {
      NameAttribute type = attribute.type();
      AttributeRule rule = rules.get(type);
      boolean isFixed = rule != null && rule.value().isPresent();
      if (!required.contains(type) && !optional.contains(type) && !isFixed) {
        throw refused(
            String.format(
                Locale.ROOT,
                "subject attribute %s is not allowed by the profile",
                OidNames.shown(type.oid())));
      }
      if (!seen.add(type) && (isFixed || SINGLE_VALUED.contains(type))) {
        throw refused("subject has more than one " + type.shortName());
      }
      missing.remove(type);
      AttributeSyntax.check(attribute);
      if (rule != null) {
        checkPattern(rule, attribute);
      }
    }
    if (!missing.isEmpty()) {
      throw refused("subject lacks " + missing.iterator().next().shortName());
    }
    return subject;
  }

  /** Checks what can be said of a value without the request that it was made of. */
  private static void checkPattern(AttributeRule rule, Attribute attribute)
      throws RejectedException {
    Optional<String> constant = rule.value().flatMap(NameTemplate::constant);
    if (constant.isPresent() && !constant.get().equals(attribute.value())) {
      throw refused("subject " + attribute.type().shortName() + " is not the value of the profile");
    }
    if (rule.pattern().isPresent() && !rule.pattern().get().matches(attribute.value())) {
      throw refused(
          String.format(
              Locale.ROOT,
              "subject %s does not match the profile's pattern",
              attribute.type().shortName()));
    }
  }

  private static RejectedException refused(String detail) {
    return new RejectedException(Reason.NAME_NOT_ALLOWED, detail);
  }
}

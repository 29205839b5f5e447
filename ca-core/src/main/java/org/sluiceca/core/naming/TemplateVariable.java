package org.sluiceca.core.naming;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;

/** A variable of the closed set that templates may use. */
sealed interface TemplateVariable {

  /** The first value of a subject attribute of the request. */
  record Subject(NameAttribute attribute) implements TemplateVariable {}

  /** A subjectAltName of the request, counted from 0 among those of its form. */
  record San(Class<? extends GeneralName> form, int index) implements TemplateVariable {}

  /** The requester's registered name. */
  record Requester() implements TemplateVariable {}

  /** The profile's name. */
  record Profile() implements TemplateVariable {}

  /** By their names in profile files, in camel case. */
  Map<String, NameAttribute> ATTRIBUTES =
      Map.ofEntries(
          Map.entry("commonName", NameAttribute.COMMON_NAME),
          Map.entry("serialNumber", NameAttribute.SERIAL_NUMBER),
          Map.entry("country", NameAttribute.COUNTRY),
          Map.entry("locality", NameAttribute.LOCALITY),
          Map.entry("stateOrProvince", NameAttribute.STATE_OR_PROVINCE),
          Map.entry("organization", NameAttribute.ORGANIZATION),
          Map.entry("organizationalUnit", NameAttribute.ORGANIZATIONAL_UNIT),
          Map.entry("domainComponent", NameAttribute.DOMAIN_COMPONENT),
          Map.entry("dnQualifier", NameAttribute.DN_QUALIFIER),
          Map.entry("emailAddress", NameAttribute.EMAIL_ADDRESS),
          Map.entry("userId", NameAttribute.USER_ID),
          Map.entry("surname", NameAttribute.SURNAME),
          Map.entry("givenName", NameAttribute.GIVEN_NAME),
          Map.entry("initials", NameAttribute.INITIALS),
          Map.entry("generationQualifier", NameAttribute.GENERATION_QUALIFIER),
          Map.entry("pseudonym", NameAttribute.PSEUDONYM),
          Map.entry("title", NameAttribute.TITLE),
          Map.entry("streetAddress", NameAttribute.STREET_ADDRESS),
          Map.entry("postalCode", NameAttribute.POSTAL_CODE),
          Map.entry("businessCategory", NameAttribute.BUSINESS_CATEGORY),
          Map.entry("organizationIdentifier", NameAttribute.ORGANIZATION_IDENTIFIER));

  Map<String, Class<? extends GeneralName>> FORMS =
      Map.of(
          "dns", GeneralName.Dns.class,
          "ip", GeneralName.Ip.class,
          "email", GeneralName.Email.class,
          "uri", GeneralName.Uri.class);

  Pattern SAN = Pattern.compile("san\\.([a-z]+)\\[([0-9]|[1-9][0-9])\\]");

  /** Returns the variable of this name. */
  static Optional<TemplateVariable> named(String name) {
    if (name.equals("requester.id")) {
      return Optional.of(new Requester());
    }
    if (name.equals("profile.name")) {
      return Optional.of(new Profile());
    }
    if (name.startsWith("csr.")) {
      return Optional.ofNullable(ATTRIBUTES.get(name.substring("csr.".length()))).map(Subject::new);
    }
    Matcher san = SAN.matcher(name);
    return san.matches()
        ? Optional.ofNullable(FORMS.get(san.group(1)))
            .map(form -> new San(form, Integer.parseInt(san.group(2))))
        : Optional.empty();
  }

  /** Returns the value in {@code facts}, if they have one. */
  default Optional<String> in(RequestFacts facts) {
    return switch (this) {
      case Requester requester -> Optional.of(facts.requester().value());
      case Profile profile -> Optional.of(facts.profile().value());
      case Subject(NameAttribute attribute) ->
          facts.subject().values(attribute).stream().findFirst();
      case San(Class<? extends GeneralName> form, int index) ->
          text(facts.names().stream().filter(form::isInstance).skip(index).limit(1).toList());
    };
  }

  private static Optional<String> text(List<GeneralName> names) {
    return names.isEmpty() ? Optional.empty() : GeneralNameText.of(names.getFirst());
  }
}

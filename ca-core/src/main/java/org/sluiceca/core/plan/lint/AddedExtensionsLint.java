package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.der.Extensions.TextType;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.AddedExtension.Value;
import org.sluiceca.core.x509.Extension;

/** The extensions of the profile's own are there as it says. */
final class AddedExtensionsLint extends Lint {

  AddedExtensionsLint() {
    super("added_extensions", "RFC 5280 4.2", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    for (AddedExtension added : planned.profile().content().extensions().additions().others()) {
      Optional<RawExtension> found = planned.raw().extension(added.oid());
      if (found.isEmpty() || found.get().isCritical() != added.isCritical()) {
        return Optional.of("extension " + added.oid() + " is missing, or its criticality wrong");
      }
      boolean isRight =
          switch (added.value()) {
            case Value.Constant(Extension constant) ->
                planned.tbs().extension(added.oid()).equals(Optional.of(constant));
            case Value.Text(TextType type, NameTemplate template) ->
                isText(found.get().value(), type, template);
          };
      if (!isRight) {
        return Optional.of("extension " + added.oid() + " is not what the profile says");
      }
    }
    return Optional.empty();
  }

  private static boolean isText(DerElement value, TextType type, NameTemplate template)
      throws MalformedException {
    int tag =
        switch (type) {
          case UTF8 -> DerElement.UTF8_STRING;
          case IA5 -> DerElement.IA5_STRING;
          case PRINTABLE -> DerElement.PRINTABLE_STRING;
        };
    String text = value.demand(tag, "the text of an added extension").utf8("an added text");
    Optional<String> constant = template.constant();
    return !text.isEmpty()
        && text.length() <= AddedExtension.TEXT_MAX
        && (constant.isEmpty() || constant.get().equals(text));
  }
}

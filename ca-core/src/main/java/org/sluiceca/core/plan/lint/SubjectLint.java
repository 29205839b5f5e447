package org.sluiceca.core.plan.lint;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameDer;

/**
 * Somebody is named as the profile allows, an end entity not as its issuer, and subjectAltName is
 * critical exactly when the subject is empty.
 */
final class SubjectLint extends Lint {

  private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

  SubjectLint() {
    super("subject", "RFC 5280 4.1.2.6, 4.2.1.6, 6.1", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException {
    DistinguishedName subject = planned.subject();
    try {
      planned.profile().content().subject().check(subject);
    } catch (RejectedException e) {
      return Optional.of(e.rejection().detail());
    }
    // RFC 5280 6.1: what has its issuer's name is self-issued, which pathLen does not count.
    if (!planned.profile().content().extensions().isCa()
        && (planned.tbs().subject().equals(planned.issuer().subject())
            || isSame(subject, planned.issuer().subject()))) {
      return Optional.of("an end entity has its issuer's name");
    }
    boolean isEmpty = subject.isEmpty();
    Optional<Extension> names = planned.tbs().extension(ExtensionOids.SUBJECT_ALT_NAME);
    if (isEmpty && names.isEmpty()) {
      return Optional.of("neither subject nor subjectAltName");
    }
    if (names.isPresent() && names.get().isCritical() != isEmpty) {
      return Optional.of("subjectAltName critical if and only if the subject is empty");
    }
    return Optional.empty();
  }

  private static boolean isSame(DistinguishedName subject, NameDer issuer) {
    List<Attribute> ours = subject.attributes();
    try {
      // Names of other numbers of attributes differ, which takes no reading of text.
      if (DerElement.of(issuer.encoded()).children().size() != ours.size()) {
        return false;
      }
      List<Attribute> theirs = NameCodec.read(issuer).attributes();
      for (int i = 0; i < ours.size(); i++) {
        if (!isSame(ours.get(i), theirs.get(i))) {
          return false;
        }
      }
      return true;
    } catch (DerException | MalformedException e) {
      // An external issuer's name may have attributes that no subject here can have.
      return false;
    }
  }

  /** RFC 5280 7.1: compared without regard to case, or to the amount of white space. */
  private static boolean isSame(Attribute one, Attribute other) {
    return one.type() == other.type() && folded(one.value()).equals(folded(other.value()));
  }

  private static String folded(String value) {
    return WHITE_SPACE.matcher(value.strip()).replaceAll(" ").toLowerCase(Locale.ROOT);
  }
}

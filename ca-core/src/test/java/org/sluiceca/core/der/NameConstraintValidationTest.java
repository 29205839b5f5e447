package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.NameSubtree;

class NameConstraintValidationTest {

  private static final Attribute ACME = new Attribute(NameAttribute.ORGANIZATION, "Acme");
  private static final NameConstraints NO_ACME =
      new NameConstraints(
          List.of(), List.of(new NameSubtree.Directory(new DistinguishedName(List.of(ACME)))));
  private static final NameConstraints NO_EXAMPLE =
      new NameConstraints(List.of(), List.of(new NameSubtree.Dns("example.org")));

  @Test
  void violation_subjectInAnExcludedSubtree_found() throws Exception {
    NameDer inside = name(ACME, new Attribute(NameAttribute.COMMON_NAME, "a"));

    assertThat(NameConstraintValidation.violation(NO_ACME, inside, Optional.empty())).isPresent();
  }

  @Test
  void violation_subjectElsewhereOrEmpty_none() throws Exception {
    NameDer outside = name(new Attribute(NameAttribute.ORGANIZATION, "Other"));

    assertThat(NameConstraintValidation.violation(NO_ACME, outside, Optional.empty())).isEmpty();
    assertThat(NameConstraintValidation.violation(NO_ACME, name(), Optional.empty())).isEmpty();
  }

  @Test
  void violation_nameInAnExcludedSubtree_foundWhateverTheSubject() throws Exception {
    Optional<Extension> inside =
        Optional.of(Extensions.subjectAltName(List.of(new GeneralName.Dns("a.example.org")), true));

    assertThat(NameConstraintValidation.violation(NO_EXAMPLE, name(), inside)).isPresent();
    assertThat(NameConstraintValidation.violation(NO_EXAMPLE, name(ACME), inside)).isPresent();
    assertThat(NameConstraintValidation.violation(NO_ACME, name(), inside)).isEmpty();
  }

  private static NameDer name(Attribute... attributes) {
    return NameCodec.write(new DistinguishedName(List.of(attributes)));
  }
}

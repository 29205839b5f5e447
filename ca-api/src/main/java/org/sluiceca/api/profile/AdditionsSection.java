package org.sluiceca.api.profile;

import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.Extensions.TextType;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.ExtensionPolicy.Additions;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.NameConstraints;

/** The parts of a profile file about extensions that most profiles do without. */
final class AdditionsSection {

  private AdditionsSection() {}

  /** One certificate policy. */
  record PolicySection(@Required String oid, @Nullable String cps, @Nullable String userNotice) {

    CertificatePolicy policy() {
      return new CertificatePolicy(oid, Optional.ofNullable(cps), Optional.ofNullable(userNotice));
    }
  }

  /** One extension by OID; one of the last five says its content. */
  record OtherSection(
      @Required String oid,
      @Nullable Boolean critical,
      @Nullable String derHex,
      @Nullable String derBase64,
      @Nullable String utf8String,
      @Nullable String ia5String,
      @Nullable String printableString) {

    AddedExtension extension() {
      if (Stream.of(derHex, derBase64, utf8String, ia5String, printableString)
              .filter(Objects::nonNull)
              .count()
          != 1) {
        throw new IllegalArgumentException(
            "extension "
                + oid
                + ": one of derHex, derBase64, utf8String, ia5String, printableString");
      }
      if (utf8String != null) {
        return text(TextType.UTF8, utf8String);
      }
      if (ia5String != null) {
        return text(TextType.IA5, ia5String);
      }
      if (printableString != null) {
        return text(TextType.PRINTABLE, printableString);
      }
      return AddedExtension.constant(oid, ProfileFile.isTrue(critical), octets());
    }

    private AddedExtension text(TextType type, String template) {
      return new AddedExtension(
          oid,
          ProfileFile.isTrue(critical),
          new AddedExtension.Value.Text(type, NameTemplate.of(template)));
    }

    private byte[] octets() {
      try {
        return derHex != null
            ? HexFormat.of().parseHex(derHex.replace(" ", ""))
            : Base64.getDecoder().decode(derBase64);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "extension " + oid + ": not hexadecimal or base64: " + e.getMessage(), e);
      }
    }
  }

  static Additions additions(
      @Nullable List<PolicySection> policies,
      @Nullable NameSpaceSection nameConstraints,
      boolean ocspNoCheck,
      @Nullable List<OtherSection> other) {
    return new Additions(
        policies == null ? List.of() : policies.stream().map(PolicySection::policy).toList(),
        nameConstraints == null
            ? NameConstraints.NONE
            : nameConstraints.constraints("nameConstraints"),
        ocspNoCheck,
        other == null ? List.of() : other.stream().map(OtherSection::extension).toList());
  }
}

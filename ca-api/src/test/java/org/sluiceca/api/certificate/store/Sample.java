package org.sluiceca.api.certificate.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** A certificate of a test: whom it names, and who asked for it. */
public record Sample(
    String commonName,
    List<GeneralName> sans,
    RequesterId requester,
    String profile,
    Instant notAfter,
    Duration life) {

  /** The database's own clock is behind: it is a test of no wall clock. */
  public static final Instant NOW = Fixtures.NOW;

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");

  public static Sample of(String host) {
    return new Sample(
        host,
        List.of(new GeneralName.Dns(host)),
        Intents.ALICE,
        "tls-server",
        NOW.plus(Duration.ofDays(47)),
        Duration.ofDays(400));
  }

  Sample by(RequesterId other) {
    return new Sample(commonName, sans, other, profile, notAfter, life);
  }

  Sample under(String other) {
    return new Sample(commonName, sans, requester, other, notAfter, life);
  }

  public Sample until(Instant other) {
    return new Sample(commonName, sans, requester, profile, other, life);
  }

  public Sample lasting(Duration other) {
    return new Sample(commonName, sans, requester, profile, notAfter, other);
  }

  Sample named(GeneralName... others) {
    return new Sample(commonName, List.of(others), requester, profile, notAfter, life);
  }

  TbsCertificateDer tbs(SerialNumber serialNumber) {
    List<Extension> extensions = new ArrayList<>();
    extensions.add(Extensions.subjectKeyIdentifier(new byte[20]));
    if (!sans.isEmpty()) {
      extensions.add(Extensions.subjectAltName(sans, false));
    }
    return TbsCertificateWriter.write(
        new TbsCertificate(
            OctetString.copyOf(serialNumber.octets()),
            SignatureAlgorithm.ECDSA_SHA256,
            NameCodec.write(name("Test Issuing CA")),
            new Validity(notAfter.minus(life), notAfter),
            NameCodec.write(name(commonName)),
            KEY.publicKey(),
            extensions));
  }

  private static DistinguishedName name(String commonName) {
    return new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, commonName)));
  }
}

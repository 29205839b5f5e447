package org.sluiceca.core.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.der.CsrWriter;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** Certification requests for tests: read from those that real tools made, or written. */
public final class CsrFixture {

  private DistinguishedName subject = DistinguishedName.EMPTY;
  private final List<Extension> extensions = new ArrayList<>();

  /** Starts a request without subject and extensions. */
  public static CsrFixture empty() {
    return new CsrFixture();
  }

  /** Starts a request with one CN and, if there are any, DNS names. */
  public static CsrFixture host(String commonName, String... dnsNames) {
    CsrFixture fixture = empty().subject(new Attribute(NameAttribute.COMMON_NAME, commonName));
    if (dnsNames.length > 0) {
      List<GeneralName> names = new ArrayList<>();
      for (String name : dnsNames) {
        names.add(new GeneralName.Dns(name));
      }
      fixture.names(names);
    }
    return fixture;
  }

  /** Reads a file that a real tool made, from the test resources of {@code csr}. */
  public static CsrDer file(String name) {
    try (InputStream in = CsrVerifier.class.getResourceAsStream(name + ".pem")) {
      if (in == null) {
        throw new IllegalArgumentException("no CSR " + name);
      }
      String pem = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return CsrDer.of(Pem.read(Pem.CERTIFICATE_REQUEST, pem));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DerException e) {
      throw new IllegalStateException("CSR " + name, e);
    }
  }

  /** Sets the subject. */
  public CsrFixture subject(Attribute... attributes) {
    subject = new DistinguishedName(List.of(attributes));
    return this;
  }

  /** Adds a subjectAltName with these names. */
  public CsrFixture names(List<GeneralName> names) {
    return extension(Extensions.subjectAltName(names, false));
  }

  /** Adds a requested extension. */
  public CsrFixture extension(Extension extension) {
    extensions.add(extension);
    return this;
  }

  /** Signs with {@code key} by the algorithm that an issuer of this key would use. */
  public CsrDer signedBy(SoftwareKey key) {
    SignatureAlgorithm algorithm = SignatureAlgorithm.ofIssuer(key.publicKey().key());
    OctetString info = CsrWriter.write(NameCodec.write(subject), key.publicKey(), extensions);
    return CsrWriter.assemble(info, algorithm, key.sign(algorithm, info));
  }
}

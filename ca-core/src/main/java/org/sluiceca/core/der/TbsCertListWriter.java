package org.sluiceca.core.der;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.sluiceca.core.x509.CrlDer;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/** Writes TBSCertLists version 2 and assembles CRLs (RFC 5280 5.1). Thread-safe. */
public final class TbsCertListWriter {

  private static final byte[] VERSION_2 = Encodings.der(new ASN1Integer(1));

  private TbsCertListWriter() {}

  /**
   * The fields of a CRL other than its entries.
   *
   * @param authorityKeyIdentifier the issuer's subjectKeyIdentifier
   * @param number cRLNumber (5.2.3)
   * @param distributionPoint the URI in the critical issuingDistributionPoint (5.2.5), if the CRL
   *     covers only certificates that name it
   * @param kind what makes it a complete CRL or a delta
   */
  public record Fields(
      SignatureAlgorithm signatureAlgorithm,
      NameDer issuer,
      Instant thisUpdate,
      Instant nextUpdate,
      OctetString authorityKeyIdentifier,
      long number,
      Optional<String> distributionPoint,
      Kind kind) {}

  /** Complete, or the difference to one that is. */
  public sealed interface Kind {

    /**
     * Complete for its scope.
     *
     * @param freshestCrl the URI of its delta (5.2.6), if there are deltas
     */
    record Complete(Optional<String> freshestCrl) implements Kind {}

    /**
     * What changed since a complete CRL (5.2.4).
     *
     * @param baseNumber BaseCRLNumber: the cRLNumber of that CRL
     */
    record Delta(long baseNumber) implements Kind {}
  }

  /** Writes the fields and the entries; without entries the list of them is absent. */
  public static TbsCertListDer write(Fields fields, RevokedCertificates entries) {
    byte[] algorithm = Encodings.der(AlgorithmIdentifiers.of(fields.signatureAlgorithm()));
    byte[] issuer = fields.issuer().encoded();
    byte[] thisUpdate = Times.encode(fields.thisUpdate());
    byte[] nextUpdate = Times.encode(fields.nextUpdate());
    byte[] extensions = Encodings.der(new DERTaggedObject(true, 0, extensions(fields).generate()));
    int list =
        entries.count() == 0 ? 0 : Encodings.headerOctets(entries.octets()) + entries.octets();
    int length =
        VERSION_2.length
            + algorithm.length
            + issuer.length
            + thisUpdate.length
            + nextUpdate.length
            + list
            + extensions.length;
    ByteArrayOutputStream out = new ByteArrayOutputStream(Encodings.headerOctets(length) + length);
    Encodings.writeHeader(out, Encodings.SEQUENCE, length);
    out.writeBytes(VERSION_2);
    out.writeBytes(algorithm);
    out.writeBytes(issuer);
    out.writeBytes(thisUpdate);
    out.writeBytes(nextUpdate);
    if (entries.count() > 0) {
      Encodings.writeHeader(out, Encodings.SEQUENCE, entries.octets());
      entries.writeTo(out);
    }
    out.writeBytes(extensions);
    return TbsCertListDer.of(out.toByteArray());
  }

  /**
   * Assembles the CRL from the signed bytes, which are taken over unchanged, and the signature.
   *
   * @param signature the signatureValue's octets (5.1.1.3)
   */
  public static CrlDer assemble(
      TbsCertListDer tbs, SignatureAlgorithm algorithm, OctetString signature) {
    return CrlDer.of(
        SignedStructure.write(
            tbs.encoded(),
            Encodings.der(AlgorithmIdentifiers.of(algorithm)),
            Encodings.der(new DERBitString(signature.octets()))));
  }

  private static ExtensionsGenerator extensions(Fields fields) {
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    add(
        extensions,
        Extension.authorityKeyIdentifier,
        false,
        Encodings.der(new AuthorityKeyIdentifier(fields.authorityKeyIdentifier().octets())));
    add(
        extensions,
        Extension.cRLNumber,
        false,
        Encodings.der(new CRLNumber(BigInteger.valueOf(fields.number()))));
    fields
        .distributionPoint()
        .ifPresent(
            uri ->
                add(
                    extensions,
                    Extension.issuingDistributionPoint,
                    true,
                    Encodings.der(
                        new IssuingDistributionPoint(
                            name(uri), false, false, null, false, false))));
    switch (fields.kind()) {
      case Kind.Complete complete ->
          complete
              .freshestCrl()
              .ifPresent(uri -> add(extensions, Extension.freshestCRL, false, points(uri)));
      case Kind.Delta delta ->
          // Critical: a client that took it for a complete CRL would miss the entries of its base.
          add(
              extensions,
              Extension.deltaCRLIndicator,
              true,
              Encodings.der(new CRLNumber(BigInteger.valueOf(delta.baseNumber()))));
    }
    return extensions;
  }

  private static byte[] points(String uri) {
    return Encodings.der(
        new CRLDistPoint(new DistributionPoint[] {new DistributionPoint(name(uri), null, null)}));
  }

  private static DistributionPointName name(String uri) {
    return new DistributionPointName(
        new org.bouncycastle.asn1.x509.GeneralNames(GeneralNames.uri(uri)));
  }

  private static void add(
      ExtensionsGenerator extensions,
      org.bouncycastle.asn1.ASN1ObjectIdentifier oid,
      boolean isCritical,
      byte[] value) {
    extensions.addExtension(new Extension(oid, isCritical, new DEROctetString(value)));
  }
}

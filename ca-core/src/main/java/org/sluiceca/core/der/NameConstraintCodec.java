package org.sluiceca.core.der;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.sluiceca.core.x509.IpRange;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.OctetString;

/** Reads and writes nameConstraints (RFC 5280 4.2.1.10). */
final class NameConstraintCodec {

  private NameConstraintCodec() {}

  static org.bouncycastle.asn1.x509.NameConstraints write(NameConstraints constraints) {
    return new org.bouncycastle.asn1.x509.NameConstraints(
        subtrees(constraints.permitted()), subtrees(constraints.excluded()));
  }

  static NameConstraints read(ASN1Encodable value) throws DerException {
    var constraints = org.bouncycastle.asn1.x509.NameConstraints.getInstance(value);
    return new NameConstraints(
        subtrees(constraints.getPermittedSubtrees()), subtrees(constraints.getExcludedSubtrees()));
  }

  private static GeneralSubtree @org.jspecify.annotations.Nullable [] subtrees(
      List<NameSubtree> subtrees) {
    return subtrees.isEmpty()
        ? null
        : subtrees.stream().map(s -> new GeneralSubtree(encode(s))).toArray(GeneralSubtree[]::new);
  }

  private static GeneralName encode(NameSubtree subtree) {
    return switch (subtree) {
      case NameSubtree.Dns(String domain) -> text(GeneralName.dNSName, domain);
      case NameSubtree.Email(String mailboxes) -> text(GeneralName.rfc822Name, mailboxes);
      case NameSubtree.Uri(String host) -> text(GeneralName.uniformResourceIdentifier, host);
      case NameSubtree.Ip(IpRange range) -> {
        byte[] network = range.network().octets();
        byte[] both = Arrays.copyOf(network, 2 * network.length);
        System.arraycopy(range.mask().octets(), 0, both, network.length, network.length);
        yield new GeneralName(GeneralName.iPAddress, new DEROctetString(both));
      }
      case NameSubtree.Directory directory ->
          new GeneralName(X500Name.getInstance(NameCodec.write(directory.base()).encoded()));
    };
  }

  private static GeneralName text(int tag, String text) {
    return new GeneralName(tag, new DERIA5String(text, true));
  }

  private static List<NameSubtree> subtrees(
      GeneralSubtree @org.jspecify.annotations.Nullable [] subtrees) throws DerException {
    List<NameSubtree> read = new ArrayList<>();
    if (subtrees != null) {
      for (GeneralSubtree subtree : subtrees) {
        // RFC 5280 4.2.1.10: minimum MUST be zero, maximum MUST be absent.
        if (!subtree.getMinimum().equals(java.math.BigInteger.ZERO)
            || subtree.getMaximum() != null) {
          throw new DerException("nameConstraints with a minimum or maximum");
        }
        subtree(subtree.getBase()).ifPresent(read::add);
      }
    }
    return read;
  }

  /** Empty for a form of which this CA never issues a name. */
  private static Optional<NameSubtree> subtree(GeneralName base) throws DerException {
    return switch (base.getTagNo()) {
      case GeneralName.dNSName -> Optional.of(new NameSubtree.Dns(ia5(base)));
      case GeneralName.rfc822Name -> Optional.of(new NameSubtree.Email(ia5(base)));
      case GeneralName.uniformResourceIdentifier -> Optional.of(new NameSubtree.Uri(ia5(base)));
      case GeneralName.iPAddress ->
          Optional.of(
              new NameSubtree.Ip(range(ASN1OctetString.getInstance(base.getName()).getOctets())));
      case GeneralName.directoryName ->
          Optional.of(
              new NameSubtree.Directory(NameCodec.of(X500Name.getInstance(base.getName()))));
      default -> Optional.empty();
    };
  }

  private static String ia5(GeneralName base) {
    return ASN1IA5String.getInstance(base.getName()).getString();
  }

  private static IpRange range(byte[] both) throws DerException {
    byte[] network = Arrays.copyOf(both, both.length / 2);
    byte[] mask = Arrays.copyOfRange(both, both.length / 2, both.length);
    int bits = 0;
    for (byte octet : mask) {
      bits += Integer.bitCount(octet & 0xFF);
    }
    IpRange range = new IpRange(OctetString.copyOf(network), bits);
    if (!range.mask().equals(OctetString.copyOf(mask))) {
      throw new DerException("nameConstraints with a mask that is no prefix");
    }
    return range;
  }
}

package org.sluiceca.api.platform.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuance.Wait;
import org.sluiceca.core.der.CsrWriter;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Obtains the node's TLS certificate: from its file while that is good, else by an enrollment like
 * any other. Blocks; called at start and by the renewal thread, never at once by both.
 */
public final class NodeTls {

  /** The requester under which nodes enroll for themselves; no requester can register this name. */
  public static final Requester NODE =
      new Requester(
          RequesterId.NODE,
          Authentication.NODE,
          Set.of(Role.REQUESTER),
          Set.of(new ProfileName("tls-server")));

  /** At start no other request is in the queue: ample time for one signature of a slow HSM. */
  private static final Duration ENROLL_MAX = Duration.ofSeconds(12);

  private static final Logger LOG = LoggerFactory.getLogger(NodeTls.class);

  private final IssuanceService issuance;
  private final Issuer issuer;
  private final NodeKeyStore file;
  private final Set<String> names;
  private final InstantSource clock;

  /** Obtains a certificate of {@code issuer} for {@code names}, kept in {@code stateDir}. */
  public NodeTls(
      IssuanceService issuance,
      Issuer issuer,
      Path stateDir,
      Set<String> names,
      InstantSource clock) {
    this.issuance = issuance;
    this.issuer = issuer;
    this.file = new NodeKeyStore(stateDir);
    this.names = names;
    this.clock = clock;
  }

  /** Returns the names of a node on this host that is bound to {@code address}. */
  public static Set<String> names(InetAddress address, List<String> more) {
    return NodeNames.here(address, more);
  }

  /** Returns the stored identity, unless it wants renewal. */
  public Optional<KeyStore> stored() throws GeneralSecurityException {
    Optional<KeyStore> stored;
    try {
      stored = file.read();
    } catch (IOException e) {
      LOG.warn("{}; a new identity takes its place", e.getMessage());
      return Optional.empty();
    }
    return stored.isEmpty()
            || NodeKeyStore.wantsRenewal(stored.get(), names, clock.instant())
            || !NodeKeyStore.isIssuedBy(stored.get(), issuer.chain().getFirst())
        ? Optional.empty()
        : stored;
  }

  /** Enrolls a new key and stores it with its certificate. */
  public KeyStore enroll()
      throws IOException, GeneralSecurityException, DerException, InterruptedException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    CertificateDer certificate = enroll(csr(pair));
    List<CertificateDer> chain = new ArrayList<>(List.of(certificate));
    // The trust anchor is not sent: a client that does not have it would not trust it.
    chain.addAll(issuer.chain().subList(0, issuer.chain().size() - 1));
    if (issuer.chain().size() == 1) {
      chain.add(issuer.chain().getFirst());
    }
    LOG.info("enrolled this node's TLS certificate for {}", names);
    return file.write(pair.getPrivate(), chain);
  }

  /** Returns the certificates that client certificates must chain to. */
  public KeyStore trustStore() throws IOException, GeneralSecurityException {
    return NodeKeyStore.trusting(issuer.chain());
  }

  private CsrDer csr(KeyPair pair) throws GeneralSecurityException, DerException {
    SubjectPublicKeyInfo key = PublicKeyReader.read(pair.getPublic().getEncoded());
    OctetString signed =
        CsrWriter.write(
            NameCodec.write(DistinguishedName.EMPTY),
            key,
            List.of(Extensions.subjectAltName(NodeNames.general(names), true)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(signed.octets());
    return CsrWriter.assemble(
        signed, SignatureAlgorithm.ECDSA_SHA256, OctetString.copyOf(signature.sign()));
  }

  private CertificateDer enroll(CsrDer csr) {
    EnrollmentRequest request =
        new EnrollmentRequest(NODE, new ProfileName("tls-server"), csr, Optional.empty());
    IssuanceResult result = issuance.issue(request, Wait.ofNode(ENROLL_MAX));
    if (result instanceof IssuanceResult.Issued issued) {
      return issued.certificate();
    }
    throw new IllegalStateException("the node could not enroll for itself: " + result);
  }
}

package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.files.TokenCsr;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.option.IssuanceOptions;
import org.sluiceca.api.cli.ceremony.option.KeyAlgorithmOption;
import org.sluiceca.api.cli.ceremony.option.SubjectOption;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.api.ocsp.store.ResponderStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.profile.ResponderProfile;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.signer.HsmSigner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Gives an issuer its OCSP responder: a key of its own, and a certificate by the issuer, through
 * the line. Nodes renew the certificate themselves; while it has two thirds of its life to go, this
 * step changes nothing.
 */
@Command(
    name = "ocsp-responder",
    description = "Makes an issuer's OCSP key if it is not there, and its certificate.")
final class OcspResponderStep implements Callable<Integer> {

  @Mixin private final TokenOptions token = new TokenOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();
  @Mixin private final IssuanceOptions issuance = new IssuanceOptions();

  @Option(names = "--issuer", defaultValue = "issuing", description = "The issuer's name.")
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private String name;

  @Option(names = "--key-algorithm", defaultValue = "ec-p256", converter = KeyAlgorithmOption.class)
  @SuppressWarnings("NullAway.Init")
  private KeyAlgorithm algorithm;

  @Option(names = "--subject", defaultValue = "CN=OCSP Responder", converter = SubjectOption.class)
  @SuppressWarnings("NullAway.Init")
  private DistinguishedName subject;

  @Option(
      names = "--csr",
      description = "A CSR of a key ISSUER.ocsp in another token (issuing-key --name ISSUER.ocsp).")
  private @Nullable Path csr;

  @Option(names = "--responder-token-label", description = "The label of that other token.")
  private @Nullable String responderTokenLabel;

  @Override
  public Integer call() throws IOException, DerException, InterruptedException {
    IssuerName issuer = new IssuerName(name);
    Path foreign = csr;
    if ((foreign == null) != (responderTokenLabel == null)) {
      throw new IllegalArgumentException("--csr and --responder-token-label go together");
    }
    try (LedgerDatabase opened = database.open()) {
      CeremonyChain chain =
          CeremonyChain.begin(
              opened, "ocsp-responder", Map.of("token", token.label(), "issuer", name));
      ResponderStore responders = new ResponderStore(opened);
      RegisteredIssuer registered =
          new IssuerStore(opened)
              .find(issuer)
              .orElseThrow(
                  () -> new IllegalStateException("issuer " + issuer + " is not installed"));
      KeyRef issuing;
      KeyRef own = null;
      try (KeyCeremony ceremony = token.openCeremony()) {
        issuing =
            ceremony
                .find(TokenOptions.idOf(name))
                .orElseThrow(
                    () -> new IllegalStateException("the token has no key of issuer " + issuer));
        if (foreign == null) {
          own =
              ceremony.generateIfAbsent(
                  TokenOptions.idOf(Responder.keyOf(issuer).value()),
                  "sluice " + Responder.keyOf(issuer),
                  algorithm);
        }
      }
      if (own != null && isInOrder(responders.list(), issuer, own)) {
        chain.end();
        return 0;
      }
      try (HsmSigner hsm = token.openSigner()) {
        CsrDer request =
            foreign == null
                ? TokenCsr.write(hsm, Objects.requireNonNull(own), subject)
                : CeremonyFiles.readCsr(foreign);
        CertificateDer certificate =
            new CeremonyLine(opened, hsm, issuing, chain)
                .issue(
                    ActiveIssuers.issuer(registered, issuance.publicSide()),
                    ResponderProfile.of(issuance.profiles(), issuer),
                    request);
        responders.insert(row(issuer, certificate, request));
      }
      chain.end();
    }
    return 0;
  }

  private RegisteredResponder row(IssuerName issuer, CertificateDer certificate, CsrDer request)
      throws DerException {
    OctetString key = OctetString.copyOf(CsrReader.read(request).subjectPublicKeyInfo().encoded());
    KeyRef place =
        new KeyRef(
            TokenOptions.idOf(Responder.keyOf(issuer).value()),
            SubjectPublicKeyInfo.of(key.octets()));
    RegisteredIssuer.Key here = token.keyOf(place, key);
    return new RegisteredResponder(
        issuer,
        certificate,
        key,
        responderTokenLabel == null
            ? here
            : new RegisteredIssuer.Key(here.ckaId(), here.algorithm(), responderTokenLabel));
  }

  /** Whether the newest responder has this key and more than a third of its life left. */
  private static boolean isInOrder(
      List<RegisteredResponder> registered, IssuerName issuer, KeyRef key) throws DerException {
    for (RegisteredResponder row : registered) {
      if (row.issuer().equals(issuer)) {
        Responder newest = Responder.of(issuer, row.certificate());
        Instant notAfter = newest.validity().notAfter();
        Duration life = Duration.between(newest.validity().notBefore(), notAfter);
        return row.subjectPublicKeyInfo().equals(OctetString.copyOf(key.publicKey().der()))
            && Instant.now().isBefore(notAfter.minus(life.dividedBy(3)));
      }
    }
    return false;
  }
}

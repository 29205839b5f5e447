package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.cli.ceremony.option.TokenOptions;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.ActiveIssuers.PublicSide;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.PostgresCrlStore;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlStore.SignedCrl;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.signer.HsmSigner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Signs the CRL of an issuer whose key no node has: a root's. It is recorded like any other, so the
 * nodes serve it within a second.
 */
@Command(
    name = "crl",
    description = "Signs the CRL of an issuer whose key the nodes do not have, such as the root.")
final class CrlStep implements Callable<Integer> {

  private static final int DAYS_MAX = 3_650;

  /** A day's work is not undone by the day after: a person comes when it suits. */
  private static final Duration MARGIN = Duration.ofHours(1);

  @Mixin private final TokenOptions token = new TokenOptions();
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--issuer", defaultValue = "root", description = "The issuer's name.")
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private String name;

  @Option(
      names = "--days",
      defaultValue = "366",
      description = "From thisUpdate to nextUpdate, 1 to " + DAYS_MAX + ".")
  private int days;

  @Option(names = "--public-url", defaultValue = "http://localhost:8080")
  @SuppressWarnings("NullAway.Init")
  private String publicUrl;

  @Option(names = "--out", required = true, description = "Where the CRL is written (DER).")
  @SuppressWarnings("NullAway.Init")
  private Path out;

  @Override
  public Integer call() throws IOException {
    if (days < 1 || days > DAYS_MAX) {
      throw new IllegalArgumentException("--days must be 1 to " + DAYS_MAX);
    }
    try (LedgerDatabase opened = database.open()) {
      CeremonyChain chain =
          CeremonyChain.begin(opened, "crl", Map.of("token", token.label(), "issuer", name));
      SignedCrl signed = sign(opened);
      chain.result(
          Map.of(
              "number", signed.crl().number(),
              "entries", signed.crl().terms().entries(),
              "nextUpdate", signed.crl().terms().nextUpdate().toString()));
      write(signed);
      chain.end();
    }
    return 0;
  }

  private SignedCrl sign(LedgerDatabase opened) {
    IssuerName issuerName = new IssuerName(name);
    Duration lifetime = Duration.ofDays(days);
    KeyRef key;
    try (KeyCeremony ceremony = token.openCeremony()) {
      key =
          ceremony
              .find(TokenOptions.idOf(name))
              .orElseThrow(
                  () -> new IllegalStateException("the token has no key of issuer " + name));
    }
    try (HsmSigner hsm = token.openSigner()) {
      RegisteredIssuer registered =
          new IssuerStore(opened)
              .find(issuerName)
              .orElseThrow(() -> new IllegalStateException("there is no issuer " + name));
      Issuer issuer = ActiveIssuers.issuer(registered, PublicSide.at(publicUrl));
      PostgresCrlStore store = new PostgresCrlStore(opened, false);
      CrlScope scope = new CrlScope(issuerName, 0);
      store.open(scope);
      return new CrlIssuance(
              store,
              new HsmIssuerSigner(hsm, Map.of(KeyName.of(issuerName), key)),
              new PostSignCheck(
                  new IssuerCatalog(List.of(issuer))::publicKey, new BouncyCastleVerifier()),
              event -> {},
              System::nanoTime)
          .issue(
              issuer,
              scope,
              Due.SCHEDULED,
              new CrlTerms(lifetime.minus(MARGIN), lifetime),
              "ceremony")
          .orElseThrow(
              () -> new IllegalStateException("another ceremony signed one at this moment"));
    }
  }

  private void write(SignedCrl signed) throws IOException {
    CeremonyFiles.writeCrl(
        out,
        TbsCertListWriter.assemble(
                signed.crl().tbsCertList(), signed.crl().signatureAlgorithm(), signed.signature())
            .encoded());
    System.out.printf(
        Locale.ROOT,
        "CRL %d of %s: %d entries, until %s%n",
        signed.crl().number(),
        name,
        signed.crl().terms().entries(),
        signed.crl().terms().nextUpdate());
  }
}

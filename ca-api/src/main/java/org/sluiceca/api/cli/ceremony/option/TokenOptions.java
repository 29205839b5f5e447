package org.sluiceca.api.cli.ceremony.option;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;
import picocli.CommandLine.Option;

/** Which token a step works in. The PIN is in a file: no secret on a command line. */
public final class TokenOptions {

  @Option(names = "--module", required = true, description = "The PKCS#11 module (.so).")
  @SuppressWarnings("NullAway.Init") // picocli sets it, for it is required.
  private Path module;

  @Option(names = "--token-label", required = true, description = "The token's label.")
  @SuppressWarnings("NullAway.Init")
  private String tokenLabel;

  @Option(names = "--pin-file", required = true, description = "The file with the user PIN.")
  @SuppressWarnings("NullAway.Init")
  private Path pinFile;

  /** Returns the token's label. */
  public String label() {
    return tokenLabel;
  }

  /** Opens a session for making, finding and measuring. Blocks as long as the token takes. */
  public KeyCeremony openCeremony() {
    return KeyCeremony.open(module, tokenLabel, new PinFile(pinFile));
  }

  /** Opens a signer of one session. Blocks as long as the token takes. */
  public HsmSigner openSigner() {
    return HsmSigner.open(
        HsmSettings.of(module, tokenLabel, new PinFile(pinFile)).withSessions(1), HsmObserver.NONE);
  }

  /** Returns where {@code key} is, for the database. */
  public RegisteredIssuer.Key keyOf(KeyRef key, OctetString subjectPublicKeyInfo)
      throws DerException {
    return new RegisteredIssuer.Key(
        OctetString.copyOf(key.id().bytes()),
        KeyAlgorithmOption.nameOf(subjectPublicKeyInfo),
        tokenLabel);
  }

  /** Returns the CKA_ID of an issuer's key: its name in ASCII, so that token tools show it. */
  public static CkaId idOf(String issuer) {
    return CkaId.of(issuer.getBytes(StandardCharsets.US_ASCII));
  }
}

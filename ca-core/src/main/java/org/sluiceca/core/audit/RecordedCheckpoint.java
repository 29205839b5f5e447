package org.sluiceca.core.audit;

import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * A checkpoint that is durable under its number: what the audit key may sign. Minted by {@link
 * Checkpoints} only, so no number is ever signed for two contents.
 */
public final class RecordedCheckpoint implements Signable {

  /** The key that signs checkpoints and nothing else: its holder cannot issue certificates. */
  public static final KeyName KEY = new KeyName("audit");

  /** The audit key is an EC P-256 key, whatever the issuers have. */
  public static final SignatureAlgorithm ALGORITHM = SignatureAlgorithm.ECDSA_SHA256;

  private final Checkpoint checkpoint;

  RecordedCheckpoint(Checkpoint checkpoint) {
    this.checkpoint = checkpoint;
  }

  /** Returns what was recorded. */
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  @Override
  public KeyName key() {
    return KEY;
  }

  @Override
  public SignatureAlgorithm signatureAlgorithm() {
    return ALGORITHM;
  }

  @Override
  public OctetString toBeSigned() {
    return checkpoint.encoded();
  }
}

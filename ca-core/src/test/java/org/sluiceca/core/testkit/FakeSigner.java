package org.sluiceca.core.testkit;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/** Signs with software keys, and misbehaves on request. Thread-safe. */
public final class FakeSigner implements IssuerSigner {

  /** How one signature goes wrong. */
  public enum Fault {
    /** The token is gone before the key was used. */
    LOST,
    /** The answer is gone, but the key may have been used. */
    ANSWER_LOST,
    /** One bit of the signature is wrong. */
    WRONG_SIGNATURE,
    /** Another key of the same kind signed. */
    WRONG_KEY,
    /** The right key signed other bytes. */
    OTHER_BYTES,
    /** No octets at all. */
    EMPTY
  }

  private final Map<KeyName, SoftwareKey> keys = new HashMap<>();
  private final SoftwareKey otherKey;
  private final Queue<Fault> faults = new ArrayDeque<>();
  private final AtomicInteger signatures = new AtomicInteger();

  /** Signs for {@code issuer} with {@code key}; {@link Fault#WRONG_KEY} uses {@code otherKey}. */
  public FakeSigner(IssuerName issuer, SoftwareKey key, SoftwareKey otherKey) {
    this.keys.put(KeyName.of(issuer), key);
    this.otherKey = otherKey;
  }

  /** Makes the next signature fail so. */
  public synchronized void failNext(Fault fault) {
    faults.add(fault);
  }

  /** Returns how often a key was used. */
  public int signatures() {
    return signatures.get();
  }

  @Override
  public synchronized OctetString sign(Signable signable, SignSchedule schedule) {
    SoftwareKey key = keys.get(signable.key());
    if (key == null) {
      throw new SignerUnavailable("no key " + signable.key(), false, null);
    }
    Fault fault = faults.poll();
    if (fault == Fault.LOST) {
      throw new SignerUnavailable("token lost", false, null);
    }
    signatures.incrementAndGet();
    if (fault == null) {
      return key.sign(signable.signatureAlgorithm(), signable.toBeSigned());
    }
    return switch (fault) {
      case LOST, ANSWER_LOST -> throw new SignerUnavailable("answer lost", true, null);
      case WRONG_SIGNATURE -> {
        byte[] octets = key.sign(signable.signatureAlgorithm(), signable.toBeSigned()).octets();
        octets[octets.length - 1] ^= 1;
        yield OctetString.copyOf(octets);
      }
      case WRONG_KEY -> otherKey.sign(signable.signatureAlgorithm(), signable.toBeSigned());
      case OTHER_BYTES -> {
        byte[] bytes = signable.toBeSigned().octets();
        bytes[bytes.length - 1] ^= 1;
        yield key.sign(signable.signatureAlgorithm(), OctetString.copyOf(bytes));
      }
      case EMPTY -> OctetString.copyOf(new byte[0]);
    };
  }
}

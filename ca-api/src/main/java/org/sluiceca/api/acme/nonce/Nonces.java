package org.sluiceca.api.acme.nonce;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.sluiceca.api.acme.nonce.store.NonceStore;
import org.sluiceca.api.platform.secret.SecretKeys;
import org.sluiceca.core.verify.Hmac;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.x509.OctetString;

/**
 * Nonces that need no row until they are spent: key number (1 octet), epoch (8), time in seconds
 * (5), random (16), and an HMAC over all of it (32) by a key that nodes derive from their file of
 * keys and the epoch. Any node makes them, any node takes each once. Thread-safe; making one does
 * not block once the epoch is known.
 */
public final class Nonces {

  /** How long a nonce is taken after it was made. */
  static final Duration LIFE = Duration.ofHours(1);

  /** By how much the clocks of two nodes may differ. */
  private static final Duration AHEAD_MAX = Duration.ofMinutes(2);

  private static final int EPOCH_OCTETS = 8;
  private static final int TIME_OCTETS = 5;
  private static final int RANDOM_OCTETS = 16;
  private static final int MAC_OCTETS = 32;
  private static final int CONTENT_OCTETS = 1 + EPOCH_OCTETS + TIME_OCTETS + RANDOM_OCTETS;
  private static final int SLOT_SECONDS = 600;
  private static final String PURPOSE = "sluice acme nonce";
  private static final int REMOVED_MAX = 10_000;

  private final NonceStore store;
  private final SecretKeys keys;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  private final LongAdder spent = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /** The epoch for new nonces and its key; replaced when the database has another one. */
  private volatile Optional<Epoch> current = Optional.empty();

  private record Epoch(int keyNumber, OctetString octets, OctetString key) {}

  /** Makes nonces by {@code keys} and spends them in {@code store}. */
  public Nonces(NonceStore store, SecretKeys keys, InstantSource clock) {
    this.store = store;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Returns a fresh nonce in base64url.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the epoch is not known yet
   *     and the database does not answer
   */
  public String next() {
    Epoch epoch = current.orElseGet(this::readEpoch);
    ByteBuffer content = ByteBuffer.allocate(CONTENT_OCTETS);
    content.put((byte) epoch.keyNumber());
    content.put(epoch.octets().octets());
    content.put(time(clock.instant()));
    byte[] fresh = new byte[RANDOM_OCTETS];
    random.nextBytes(fresh);
    content.put(fresh);
    byte[] mac = mac(epoch.key(), content.array());
    byte[] nonce = Arrays.copyOf(content.array(), CONTENT_OCTETS + MAC_OCTETS);
    System.arraycopy(mac, 0, nonce, CONTENT_OCTETS, MAC_OCTETS);
    return Base64Url.encode(nonce);
  }

  /** A nonce that this CA made and that has not grown old; it may have been spent. */
  public record Genuine(NonceStore.Spending spending) {}

  /** Judges a nonce without the database: what costs nothing comes first. */
  public Optional<Genuine> genuine(String text) {
    Optional<Genuine> genuine = judge(text);
    if (genuine.isEmpty()) {
      refused.increment();
    }
    return genuine;
  }

  private Optional<Genuine> judge(String text) {
    Optional<byte[]> read = Base64Url.decode(text);
    if (read.isEmpty() || read.get().length != CONTENT_OCTETS + MAC_OCTETS) {
      return Optional.empty();
    }
    byte[] octets = read.get();
    byte[] content = Arrays.copyOf(octets, CONTENT_OCTETS);
    ByteBuffer parts = ByteBuffer.wrap(content);
    int keyNumber = parts.get() & 0xFF;
    byte[] epoch = new byte[EPOCH_OCTETS];
    parts.get(epoch);
    byte[] time = new byte[TIME_OCTETS];
    parts.get(time);
    byte[] fresh = new byte[RANDOM_OCTETS];
    parts.get(fresh);
    OctetString key = key(keyNumber, OctetString.copyOf(epoch));
    boolean isOurs =
        key.length() > 0
            && Hmac.SHA256.verifies(
                key,
                OctetString.copyOf(content),
                OctetString.copyOf(Arrays.copyOfRange(octets, CONTENT_OCTETS, octets.length)));
    if (!isOurs) {
      return Optional.empty();
    }
    Instant made = Instant.ofEpochSecond(seconds(time));
    Instant now = clock.instant();
    if (made.isBefore(now.minus(LIFE)) || made.isAfter(now.plus(AHEAD_MAX))) {
      return Optional.empty();
    }
    return Optional.of(
        new Genuine(
            new NonceStore.Spending(
                slot(made), OctetString.copyOf(fresh), OctetString.copyOf(epoch))));
  }

  /** Spends a nonce; returns whether it was unspent. Blocks for a statement. */
  public boolean spend(Genuine nonce) {
    return noted(nonce, !store.spend(List.of(nonce.spending())).isEmpty());
  }

  /**
   * Notes that a nonce was spent in a statement of another store; returns {@code isUnspent}. Blocks
   * for a statement if this node may not know the database's present epoch.
   */
  public boolean noted(Genuine nonce, boolean isUnspent) {
    (isUnspent ? spent : repeated).increment();
    boolean isOfKnownEpoch =
        current.filter(e -> e.octets().equals(nonce.spending().epoch())).isPresent();
    // Refused: spent before, or the database has begun another epoch. Taken: another node made it,
    // in an epoch that this node has yet to learn; a balancer may never send it one of its own.
    if (isUnspent != isOfKnownEpoch) {
      Epoch _ = readEpoch();
    }
    return isUnspent;
  }

  /** Returns how many nonces this node has spent. */
  public long spent() {
    return spent.sum();
  }

  /** Returns how many this node refused as spent before, or of a former epoch. */
  public long repeated() {
    return repeated.sum();
  }

  /** Returns how many this node refused as too old, or as none of this CA's. */
  public long refused() {
    return refused.sum();
  }

  /** Removes what is too old to be taken; returns whether there may be more. */
  public boolean remove() {
    Instant oldest = clock.instant().minus(LIFE).minus(AHEAD_MAX);
    return store.remove(slot(oldest), REMOVED_MAX) == REMOVED_MAX;
  }

  private Epoch readEpoch() {
    byte[] fresh = new byte[EPOCH_OCTETS];
    random.nextBytes(fresh);
    OctetString epoch = store.epoch(OctetString.copyOf(fresh));
    int number = keys.newest();
    Epoch read = new Epoch(number, epoch, key(number, epoch));
    current = Optional.of(read);
    return read;
  }

  /** The key of the current epoch is kept; another one is derived each time, which takes 10 µs. */
  private OctetString key(int number, OctetString epoch) {
    return current
        .filter(known -> known.keyNumber() == number && known.octets().equals(epoch))
        .map(Epoch::key)
        .orElseGet(() -> keys.derive(number, PURPOSE, epoch.octets()));
  }

  private static byte[] mac(OctetString key, byte[] content) {
    return Hmac.SHA256.of(key, OctetString.copyOf(content)).octets();
  }

  private static byte[] time(Instant instant) {
    byte[] eight = ByteBuffer.allocate(Long.BYTES).putLong(instant.getEpochSecond()).array();
    return Arrays.copyOfRange(eight, Long.BYTES - TIME_OCTETS, Long.BYTES);
  }

  private static long seconds(byte[] time) {
    long seconds = 0;
    for (byte octet : time) {
      seconds = seconds << Byte.SIZE | (octet & 0xFF);
    }
    return seconds;
  }

  private static int slot(Instant made) {
    return (int) (made.getEpochSecond() / SLOT_SECONDS);
  }
}

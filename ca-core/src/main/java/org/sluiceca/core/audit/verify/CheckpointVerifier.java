package org.sluiceca.core.audit.verify;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.RecordedCheckpoint;
import org.sluiceca.core.audit.SignedCheckpoint;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Judges checkpoints: first those that were exported, then those in the database, each by the audit
 * key, by the one before it, and by what was exported under its number. For one thread.
 *
 * <p>A checkpoint without a signature is none of a fault: its node may have ended before it signed.
 * But it covers no row: the next one that is signed does.
 */
public final class CheckpointVerifier {

  private static final String DATABASE = "the database";

  private record Exported(String export, OctetString hash) {}

  private final Optional<SubjectPublicKeyInfo> key;
  private final SignatureVerifier signatures;
  private final String source;
  private final Consumer<Finding> findings;
  private final CoveredHeads covered = new CoveredHeads();

  /** A hash each: a million exports are 200 MB, more than is kept in one folder. */
  private final TreeMap<Long, Exported> exports = new TreeMap<>();

  private long last;
  private OctetString lastHash = ChainHead.nothing();
  private long signed;

  /**
   * Judges by {@code key}.
   *
   * @param key the audit key as it was kept outside the database; without it signatures are not
   *     looked at
   */
  public CheckpointVerifier(
      Optional<SubjectPublicKeyInfo> key,
      SignatureVerifier signatures,
      Consumer<Finding> findings) {
    this(key, signatures, DATABASE, findings);
  }

  /**
   * The same for checkpoints that are not read from the database.
   *
   * @param source from where {@link #stored} gets them, in a few words
   */
  public CheckpointVerifier(
      Optional<SubjectPublicKeyInfo> key,
      SignatureVerifier signatures,
      String source,
      Consumer<Finding> findings) {
    this.key = key;
    this.signatures = signatures;
    this.source = source;
    this.findings = findings;
  }

  /**
   * Takes an exported checkpoint, in any order, before the first of the database.
   *
   * @param export what the file is called
   */
  public void exported(String export, SignedCheckpoint checkpoint) {
    Optional<Checkpoint> read = Checkpoint.parse(checkpoint.encoded());
    if (read.isEmpty()) {
      findings.accept(new Finding.ExportUnreadable(export));
      return;
    }
    long number = read.get().number();
    if (!isSigned(checkpoint.encoded(), checkpoint.signature())) {
      findings.accept(new Finding.CheckpointForeign(number, export));
      return;
    }
    OctetString hash = Checkpoint.hash(checkpoint.encoded());
    @Nullable Exported other = exports.putIfAbsent(number, new Exported(export, hash));
    if (other != null && !other.hash().equals(hash)) {
      findings.accept(new Finding.CheckpointRewritten(number, other.export() + " and " + export));
    }
    covered.add(read.get());
  }

  /** Takes the checkpoints of the database, in the order of their numbers. */
  public void stored(long number, OctetString encoded, Optional<OctetString> signature) {
    boolean follows = number == last + 1;
    if (!follows) {
      findings.accept(new Finding.CheckpointMissing(last + 1, number - 1));
    }
    OctetString hash = Checkpoint.hash(encoded);
    @Nullable Exported export = exports.get(number);
    if (export != null && !export.hash().equals(hash)) {
      findings.accept(new Finding.CheckpointRewritten(number, export.export()));
    }
    boolean isOfTheKey = signature.isPresent() && isSigned(encoded, signature.get());
    if (isOfTheKey) {
      signed = number;
    } else if (signature.isPresent()) {
      findings.accept(new Finding.CheckpointForeign(number, source));
    }
    Optional<Checkpoint> read = Checkpoint.parse(encoded).filter(c -> c.number() == number);
    if (read.isEmpty()) {
      findings.accept(new Finding.CheckpointUnreadable(number));
    } else {
      if (follows && !read.get().previous().equals(lastHash)) {
        findings.accept(new Finding.CheckpointReplaced(Math.max(1, last)));
      }
      // Without the key's signature it may come from anyone with write access to the database.
      if (isOfTheKey) {
        covered.add(read.get());
      }
    }
    last = number;
    lastHash = hash;
  }

  /** Ends the checkpoints and returns what judges the rows. */
  public ChainVerifier rows() {
    Map<Long, Exported> beyond = exports.tailMap(last, false);
    if (!beyond.isEmpty()) {
      findings.accept(new Finding.CheckpointMissing(last + 1, exports.lastKey()));
    }
    return new ChainVerifier(covered, findings);
  }

  /** Returns whether a checkpoint was exported that is younger than the last one that is stored. */
  public boolean hasYoungerExport() {
    return !exports.tailMap(last, false).isEmpty();
  }

  /** Returns the number of the last checkpoint of the database; 0 if there is none. */
  public long last() {
    return last;
  }

  /** Returns the number of the last one that is signed by the audit key, or by some key. */
  public long lastSigned() {
    return signed;
  }

  private boolean isSigned(OctetString encoded, OctetString signature) {
    return key.isEmpty()
        || signatures.verifies(key.get(), RecordedCheckpoint.ALGORITHM, encoded, signature);
  }
}

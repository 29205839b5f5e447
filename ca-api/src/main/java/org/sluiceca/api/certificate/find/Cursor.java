package org.sluiceca.api.certificate.find;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.sluiceca.api.certificate.store.Position;
import org.sluiceca.api.certificate.store.SearchFilter;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A position as clients carry it, with a digest of the filter it belongs to. It is not a secret and
 * not signed: a client that makes one up only moves within what the filter shows anyway.
 */
final class Cursor {

  /** Raised when the order of any search changes, so that an old cursor is refused. */
  private static final int VERSION = 1;

  private static final int DIGEST_OCTETS = 8;

  private static final long MICROS = 1_000_000;

  /** A position's microseconds after the epoch: up to the year 9999, as certificates are. */
  private static final long MICROS_MAX =
      Instant.parse("9999-12-31T23:59:59Z").getEpochSecond() * MICROS;

  private Cursor() {}

  static String write(Position position, SearchFilter filter) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(octets)) {
      out.writeByte(VERSION);
      out.write(digest(filter));
      out.write(position.serialNumber().octets());
      out.writeLong(ChronoUnit.MICROS.between(Instant.EPOCH, position.issuedAt()));
      out.writeUTF(position.requester());
      out.writeUTF(position.name());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets.toByteArray());
  }

  /** Returns the position; empty if {@code text} is no cursor of this filter. */
  static Optional<Position> parse(String text, SearchFilter filter) {
    byte[] octets;
    try {
      octets = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(octets))) {
      if (in.readByte() != VERSION
          || !Arrays.equals(in.readNBytes(DIGEST_OCTETS), digest(filter))) {
        return Optional.empty();
      }
      byte[] serial = in.readNBytes(SerialNumber.OCTETS);
      long micros = in.readLong();
      String requester = in.readUTF();
      Position position =
          new Position(
              in.readUTF(),
              requester,
              Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
              OctetString.copyOf(serial));
      boolean isSound =
          in.read() < 0
              && micros >= 0
              && micros <= MICROS_MAX
              && position.name().indexOf(0) < 0
              && position.requester().indexOf(0) < 0;
      return isSound ? Optional.of(position) : Optional.empty();
    } catch (IOException | ArithmeticException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static byte[] digest(SearchFilter filter) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256")
              .digest(filter.toString().getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(whole, DIGEST_OCTETS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}

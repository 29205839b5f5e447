package org.sluiceca.client.connect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;

/** Reads a bearer token from a file: its first line, in the alphabet of RFC 6750 2.1. */
public final class TokenFile {
  private static final int OCTETS_MAX = 8192;
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  private TokenFile() {}

  /** The token in {@code file}; fails, saying what to name, where there is none. */
  public static Credential.Token read(Path file) {
    String text;
    try {
      if (Files.size(file) > OCTETS_MAX) {
        throw Failure.of(file + " does not hold a bearer token");
      }
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw Failure.of(
          "no token in "
              + file
              + ": name the directory of a trial (--data) or a token (--token-file)");
    }
    String token = text.lines().findFirst().orElse("").strip();
    if (!TOKEN.matcher(token).matches()) {
      throw Failure.of(file + " does not hold a bearer token");
    }
    return new Credential.Token(token, Optional.of(file));
  }
}

package org.sluiceca.client.credential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.connect.TokenFile;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

/**
 * Where a new token goes: a new file, mode 0600, that is made before anything is sent, or standard
 * output, which must be asked for by {@code -}. A file that got no token is deleted. Not
 * thread-safe.
 */
final class TokenOutput implements AutoCloseable {
  private static final String STANDARD = "-";
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{1,1024}=*");

  private final Console console;
  private final Path out;
  private @Nullable String token;

  /** Makes the file. Fails if it cannot be made, or there is one already. */
  TokenOutput(Console console, Path out) {
    this.console = console;
    this.out = out;
    check(out);
    if (!isStandard()) {
      PrivateFile.create(out, new byte[0]);
    }
  }

  /** Fails if the token and a document would both be printed. */
  static void check(Path out, ActOutput output) {
    if (output.isJson() && isStandard(out)) {
      throw Failure.usage("--json prints on standard output: --out needs a file for the token");
    }
    check(out);
  }

  /** Fails if the file is there already. */
  private static void check(Path out) {
    if (!isStandard(out) && Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
      throw Failure.of(out + " is there already: a token never replaces a file");
    }
  }

  /** Writes a token. Fails, without repeating the text, if it cannot be one. */
  void write(String text) {
    if (!TOKEN.matcher(text).matches()) {
      throw Failure.of("the answer holds no token");
    }
    if (isStandard()) {
      console.line(text);
    } else {
      PrivateFile.write(out, (text + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    token = text;
  }

  /** The token as a later command reads it: from the file. */
  Credential.Token written() {
    if (token == null) {
      throw new IllegalStateException("no token was written");
    }
    return isStandard() ? new Credential.Token(token) : TokenFile.read(out);
  }

  @Override
  public String toString() {
    return isStandard() ? "on standard output" : "in " + out;
  }

  @Override
  public void close() {
    if (token != null || isStandard()) {
      return;
    }
    try {
      Files.deleteIfExists(out);
    } catch (IOException e) {
      console.note("%s is empty and cannot be deleted", out);
    }
  }

  private boolean isStandard() {
    return isStandard(out);
  }

  private static boolean isStandard(Path out) {
    return out.toString().equals(STANDARD);
  }
}

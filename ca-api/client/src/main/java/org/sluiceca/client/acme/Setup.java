package org.sluiceca.client.acme;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.output.Failure;

/**
 * What a client of ACME must know, as words of a POSIX shell. Immutable.
 *
 * @param name a name that the binding covers
 * @param root the certificates that the service's own is checked against; null for the system's
 * @param out the file that has the key, or null if the lines show it
 */
record Setup(Binding binding, String name, @Nullable Path root, @Nullable Path out) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+-]+");

  /** A word of a shell that means this text. */
  static String word(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** Names the root's file before a command; empty where the system's roots are enough. */
  String environment(String variable) {
    return root == null ? "" : variable + "=" + word(absolute(root)) + " ";
  }

  /** The root's certificates and nothing else of the file, as base64 of PEM in one line. */
  Optional<String> rootBase64() {
    return Optional.ofNullable(root)
        .map(
            file -> {
              StringBuilder pem = new StringBuilder();
              try {
                for (X509Certificate certificate : PemFiles.certificates(file)) {
                  pem.append(PemFiles.block("CERTIFICATE", certificate.getEncoded()));
                }
              } catch (CertificateEncodingException e) {
                throw Failure.of(file + " holds a certificate that cannot be read");
              }
              return Base64.getEncoder()
                  .encodeToString(pem.toString().getBytes(StandardCharsets.US_ASCII));
            });
  }

  String directory() {
    return word(binding.directory());
  }

  String plainDirectory() {
    return binding.directory();
  }

  String endpoint() {
    return binding.endpoint();
  }

  String kid() {
    return binding.kid();
  }

  /** Whether the key itself is in the lines. */
  boolean isKeyShown() {
    return out == null;
  }

  /** The key, or what a shell puts in its place. */
  String key() {
    return isKeyShown() ? binding.hmacKey() : "\"$(" + keyCommand() + ")\"";
  }

  /** Prints the key of the file, without a line feed. */
  String keyCommand() {
    return "jq -rj .hmacKey " + (out == null ? "" : word(absolute(out)));
  }

  /** The part of the name above its first label, for an address of mail. */
  String domain() {
    int dot = name.indexOf('.');
    return name.indexOf('.', dot + 1) > 0 ? name.substring(dot + 1) : name;
  }

  private static String absolute(Path file) {
    return file.toAbsolutePath().normalize().toString();
  }
}

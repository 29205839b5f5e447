package org.sluiceca.api.http.publish;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.x509.OctetString;

/**
 * Octets that anyone may fetch and caches may keep: always sent whole, with no range offered. Half
 * of one CRL and half of the next are no CRL, and none is so long that resuming would pay.
 *
 * @param entityTag changes whenever the octets do; with its quotes
 * @param lastModified empty if there is no date to give
 * @param maxAge how long a cache may keep it
 */
public record Publication(
    String mediaType,
    String entityTag,
    Optional<Instant> lastModified,
    Duration maxAge,
    Content content) {

  /** Where the octets are. */
  public sealed interface Content {

    /** In memory. */
    record Octets(OctetString octets) implements Content {}

    /** In a file of a known length. */
    record InFile(Path file, long length) implements Content {}
  }

  /**
   * Answers a GET or HEAD request with 200 or 304.
   *
   * @throws ProblemException if a precondition of the request is false
   * @throws IOException if the client is gone, or the file cannot be read
   */
  public void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
    switch (Preconditions.judge(request, entityTag, lastModified)) {
      case FAILED ->
          throw new ProblemException(
              ProblemType.PRECONDITION_FAILED,
              String.format(
                  Locale.ROOT,
                  "the present one has the entity-tag %s, which If-Match or If-Unmodified-Since excludes",
                  entityTag));
      case NOT_MODIFIED -> {
        writeValidators(response);
        response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      }
      case PROCEED -> {
        writeValidators(response);
        response.setContentType(mediaType);
        writeContent(response, !request.getMethod().equals("HEAD"));
      }
    }
  }

  /** RFC 9110 15.4.5: what 200 would have carried for caches. */
  private void writeValidators(HttpServletResponse response) {
    response.setHeader("ETag", entityTag);
    lastModified.ifPresent(m -> response.setDateHeader("Last-Modified", m.toEpochMilli()));
    response.setHeader("Cache-Control", "max-age=" + maxAge.toSeconds() + ", public");
  }

  private void writeContent(HttpServletResponse response, boolean hasBody) throws IOException {
    switch (content) {
      case Content.Octets(OctetString octets) -> {
        response.setContentLength(octets.length());
        if (hasBody) {
          response.getOutputStream().write(octets.octets());
        }
      }
      case Content.InFile(Path file, long length) -> {
        response.setContentLengthLong(length);
        if (hasBody) {
          OutputStream out = response.getOutputStream();
          long _ = Files.copy(file, out);
        }
      }
    }
  }
}

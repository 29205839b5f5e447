package org.sluiceca.client.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The query of a URL (RFC 3986 3.4), every value escaped. Not thread-safe. */
public final class Query {
  private final StringBuilder text = new StringBuilder();

  /** Adds a parameter; null and the empty text are left out. */
  public Query put(String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      text.append(text.isEmpty() ? '?' : '&')
          .append(name)
          .append('=')
          .append(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

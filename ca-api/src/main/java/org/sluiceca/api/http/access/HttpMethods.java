package org.sluiceca.api.http.access;

import java.util.Set;

/** The HTTP methods by name: a client may send any word of 16 KB as a method. */
public final class HttpMethods {

  /** The methods that routes have, and OPTIONS, which asks for them. */
  public static final Set<String> SERVED =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS");

  /** RFC 9110 9.3 and RFC 5789. */
  private static final Set<String> STANDARD =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");

  /** What every other method is called. */
  private static final String OTHER = "other";

  private HttpMethods() {}

  /** Returns the method if it is a standard one, otherwise {@code other}. */
  public static String nameOf(String method) {
    return STANDARD.contains(method) ? method : OTHER;
  }
}

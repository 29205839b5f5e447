package org.sluiceca.api.console.form;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.sluiceca.api.auth.Tokens;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/**
 * The two cookies of the console. A browser keeps a name that begins with {@code __Host-} only if
 * it comes by TLS, for this host alone and for every path, so no other host can set one.
 */
public final class ConsoleCookies {

  /** Stands for a session. */
  public static final String SESSION = "__Host-sluice-console";

  /** Stands for a sign-in form before there is a session. */
  public static final String SIGN_IN = "__Host-sluice-sign-in";

  private ConsoleCookies() {}

  /** Returns the cookie's value; empty if there is none, several, or one that is not ours. */
  public static Optional<String> read(HttpServletRequest request, String name) {
    Cookie[] cookies = request.getCookies();
    String found = null;
    for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
      if (cookie.getName().equals(name)) {
        if (found != null) {
          return Optional.empty();
        }
        found = cookie.getValue();
      }
    }
    return Optional.ofNullable(found).filter(Tokens::isToken);
  }

  /** Sets a cookie that ends with the browser. */
  public static void set(HttpServletResponse response, String name, String value) {
    add(response, base(name, value));
  }

  /** Has the browser forget a cookie. */
  public static void clear(HttpServletResponse response, String name) {
    add(response, base(name, "").maxAge(0));
  }

  private static ResponseCookie.ResponseCookieBuilder base(String name, String value) {
    return ResponseCookie.from(name, value)
        .path("/")
        .secure(true)
        .httpOnly(true)
        .sameSite("Strict");
  }

  private static void add(
      HttpServletResponse response, ResponseCookie.ResponseCookieBuilder cookie) {
    response.addHeader(HttpHeaders.SET_COOKIE, cookie.build().toString());
  }
}

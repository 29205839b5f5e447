package org.sluiceca.api.console.form;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The token of a form, which another site cannot know: an HMAC under the value of the cookie that
 * comes with the form. Every node makes the same.
 */
public final class FormToken {

  /** The field of each form that holds it. */
  public static final String FIELD = "csrf";

  private static final byte[] PURPOSE = "sluice console form".getBytes(StandardCharsets.US_ASCII);

  private FormToken() {}

  /** Returns the token of forms that come with this cookie. */
  public static String of(String cookie) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(cookie.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(PURPOSE));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** Returns whether a token is that of forms that come with this cookie. */
  public static boolean isOf(String cookie, @Nullable String token) {
    return token != null
        && MessageDigest.isEqual(
            of(cookie).getBytes(StandardCharsets.US_ASCII), token.getBytes(StandardCharsets.UTF_8));
  }
}

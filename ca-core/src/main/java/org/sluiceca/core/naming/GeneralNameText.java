package org.sluiceca.core.naming;

import java.util.Optional;
import org.sluiceca.core.x509.GeneralName;

/** The text of a GeneralName, as patterns and templates see it. */
public final class GeneralNameText {

  private GeneralNameText() {}

  /** Longer names are cut in messages. */
  private static final int SHOWN_MAX = 80;

  /** Returns the text; empty for a form that has none. */
  public static Optional<String> of(GeneralName name) {
    return switch (name) {
      case GeneralName.Dns dns -> Optional.of(dns.name());
      case GeneralName.Ip ip -> Optional.of(ip.address().getHostAddress());
      case GeneralName.Email email -> Optional.of(email.address());
      case GeneralName.Uri uri -> Optional.of(uri.uri());
      case GeneralName.Unsupported unsupported -> Optional.empty();
    };
  }

  /**
   * Returns a name for messages, as OpenSSL writes it: {@code DNS:host.example}. At most {@value
   * #SHOWN_MAX} characters, only printable ASCII.
   */
  public static String shown(GeneralName name) {
    String text =
        switch (name) {
          case GeneralName.Dns dns -> "DNS:" + dns.name();
          case GeneralName.Ip ip -> "IP:" + ip.address().getHostAddress();
          case GeneralName.Email email -> "email:" + email.address();
          case GeneralName.Uri uri -> "URI:" + uri.uri();
          case GeneralName.Unsupported unsupported -> "a name of tag " + unsupported.tag();
        };
    String printable = text.replaceAll("[^ -~]", "?");
    return printable.length() > SHOWN_MAX ? printable.substring(0, SHOWN_MAX) + "…" : printable;
  }
}

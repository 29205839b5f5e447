package org.sluiceca.core.naming;

import java.util.Optional;
import org.sluiceca.core.x509.GeneralName;

/** The text of a GeneralName, as patterns and templates see it. */
public final class GeneralNameText {

  private GeneralNameText() {}

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
}

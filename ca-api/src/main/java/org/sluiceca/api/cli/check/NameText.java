package org.sluiceca.api.cli.check;

import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.x509.NameDer;

/** A name for people. */
final class NameText {

  private NameText() {}

  static String of(NameDer name) {
    try {
      String text = NameCodec.read(name).toString();
      return text.isEmpty() ? "(empty)" : text;
    } catch (DerException e) {
      // An external issuer's name may have attributes that no subject here can have.
      return "(a name of " + name.length() + " octets)";
    }
  }
}

package org.sluiceca.api.registration;

import java.security.SecureRandom;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.x509.OctetString;

/** Makes ids of requests and accounts. Thread-safe. */
public final class FreshId {

  private static final SecureRandom RANDOM = new SecureRandom();

  private FreshId() {}

  /** Returns an id that no other object has. */
  public static RegistrationId next() {
    byte[] octets = new byte[RegistrationId.OCTETS];
    RANDOM.nextBytes(octets);
    return new RegistrationId(OctetString.copyOf(octets));
  }
}

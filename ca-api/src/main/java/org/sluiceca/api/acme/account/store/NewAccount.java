package org.sluiceca.api.acme.account.store;

import java.util.List;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** An account that is to be made. */
public record NewAccount(
    RegistrationId id, OctetString thumbprint, SubjectPublicKeyInfo key, List<String> contacts) {

  /** Copies the contacts. */
  public NewAccount {
    contacts = List.copyOf(contacts);
  }
}

package org.sluiceca.core.naming;

import java.util.List;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.GeneralName;

/**
 * What templates may speak of: who asks, under which profile, and the names in the request as they
 * were asked for, before the profile adds any. The names are a stranger's words.
 */
public record RequestFacts(
    RequesterId requester,
    ProfileName profile,
    DistinguishedName subject,
    List<GeneralName> names) {

  public RequestFacts {
    names = List.copyOf(names);
  }
}

package org.sluiceca.api.acme.signed;

import java.util.Optional;
import org.sluiceca.core.registration.EndpointName;

/**
 * From where a request comes, as far as that is known before it is verified.
 *
 * @param endpoint that it was sent to
 * @param network such as {@code 192.0.2.0/24}; empty for a configured proxy's
 */
public record Sender(EndpointName endpoint, Optional<String> network) {}
